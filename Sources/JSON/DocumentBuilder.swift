internal import CSimdjson

/// The builder of a value from simdjson's document and the source.
///
/// `word` traverses the tape and `token` the structural indexes, in step: each string, number, word and bracket has
/// both; commas and colons are tokens only, the numbers' bits are words only.
struct DocumentBuilder {
  private let document: csimdjson_document
  private var word = 1
  private var token = 0
  private var depth = 0
  /// The maximum nesting so far.
  private(set) var deepest = 0

  init(_ document: csimdjson_document) { self.document = document }

  mutating func value() -> JSONValue {
    let type = UInt8(truncatingIfNeeded: document.tape[word] >> 56)
    switch type {
    case UInt8(ascii: "\""): return stringValue()
    case UInt8(ascii: "l"): return integer(Int64(bitPattern: document.tape[word + 1]))
    case UInt8(ascii: "u"): return number(Double(document.tape[word + 1]), isCanonical: false)
    case UInt8(ascii: "d"): return double(Double(bitPattern: document.tape[word + 1]))
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    default:
      word += 1
      token += 1
      return type == UInt8(ascii: "n") ? .null : .bool(type == UInt8(ascii: "t"))
    }
  }

  private mutating func object() -> JSONValue {
    var members = JSONObject.Builder(capacity: enter())
    while document.tape[word] >> 56 != UInt64(UInt8(ascii: "}")) {
      let key = string()
      token += 2
      members.append(key: key, value: value())
      token += 1
    }
    leave(isEmpty: members.isEmpty)
    return .object(members.object)
  }

  private mutating func array() -> JSONValue {
    var elements: [JSONValue] = []
    elements.reserveCapacity(enter())
    while document.tape[word] >> 56 != UInt64(UInt8(ascii: "]")) {
      elements.append(value())
      token += 1
    }
    leave(isEmpty: elements.isEmpty)
    return .array(elements)
  }

  /// Enters a container and returns its number of elements, as far as the tape can count (24 bits).
  private mutating func enter() -> Int {
    let count = Int(document.tape[word] >> 32 & 0xFF_FFFF)
    word += 1
    token += 1
    depth += 1
    deepest = max(deepest, depth)
    return count
  }

  /// Leaves a container; the closing bracket's token has been counted as the last element's comma, if there was an
  /// element.
  private mutating func leave(isEmpty: Bool) {
    word += 1
    if isEmpty { token += 1 }
    depth -= 1
  }

  private mutating func string() -> String {
    let start = document.strings + Int(document.tape[word] & 0xFF_FFFF_FFFF_FFFF)
    let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    word += 1
    return String(decoding: UnsafeBufferPointer(start: start + 4, count: Int(length)), as: UTF8.self)
  }

  private mutating func stringValue() -> JSONValue {
    let string = string()
    defer { token += 1 }
    guard document.has_escapes else { return .string(string) }
    let source = source()
    if CanonicalText.isCanonical(string: source) { return .string(string) }
    return .verbatim(Verbatim(.string(string), text: String(decoding: source, as: UTF8.self)))
  }

  /// Integers have one spelling, except for minus zero and for those that a double only approximates.
  private mutating func integer(_ value: Int64) -> JSONValue {
    if value == 0 && source().first == UInt8(ascii: "-") { return number(-0.0, isCanonical: true) }
    return number(Double(value), isCanonical: value.magnitude <= 1 << 53)
  }

  private mutating func double(_ value: Double) -> JSONValue {
    let source = source()
    let hasExponent = source.contains { $0 | 0x20 == UInt8(ascii: "e") }
    let isCanonical = !hasExponent && CanonicalText.isSurelyCanonical(fraction: source, of: value)
    return number(value, isCanonical: isCanonical)
  }

  private mutating func number(_ value: Double, isCanonical: Bool) -> JSONValue {
    defer {
      word += 2
      token += 1
    }
    if isCanonical || CanonicalText.isCanonical(number: source(), of: value) { return .number(value) }
    return .verbatim(Verbatim(.number(value), text: String(decoding: source(), as: UTF8.self)))
  }

  /// Returns the bytes of the scalar at the current token: up to the next token, without the space between.
  private func source() -> UnsafeBufferPointer<UInt8> {
    let start = Int(document.structurals[token])
    var end = Int(document.structurals[token + 1])
    while document.text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return UnsafeBufferPointer(start: document.text + start, count: end - start)
  }
}
