package import Base
package import GraphModel
package import JSON
package import Signals

// Values are encoded without loss: a payload with its bytes, a number with its bits, a scalar with its original text.

extension Payload: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .raw(let raw):
      writer.byte(0)
      raw.encode(to: &writer)
    case .value(let value):
      writer.byte(1)
      value.encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    if try reader.byte() == 0 {
      self = .raw(try RawJSON(from: &reader))
    } else {
      self = .value(try JSONValue(from: &reader))
    }
  }
}

extension RawJSON: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    // An object with an outline from the parser keeps its original text wherever it is written; another one is decoded.
    hasOutline.encode(to: &writer)
    withSpan { writer.blob($0) }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    let hasOutline = try Bool(from: &reader)
    guard let raw = RawJSON(checking: Array(try reader.blob()), isOutlined: hasOutline) else {
      throw StateError("invalid JSON value")
    }
    self = raw
  }
}

extension JSONValue: StateCodable {
  private enum Kind: UInt8 {
    case null, bool, number, string, array, object, text, verbatim
  }

  package func encode(to writer: inout StateEncoder) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .null: kind(.null)
    case .bool(let bool):
      kind(.bool)
      bool.encode(to: &writer)
    case .number(let number):
      kind(.number)
      number.encode(to: &writer)
    case .string(let text):
      kind(.string)
      writer.text(text)
    case .array(let elements):
      kind(.array)
      elements.encode(to: &writer)
    case .object(let object):
      if let text = object.text {
        kind(.text)
        text.encode(to: &writer)
        return
      }
      kind(.object)
      let members = object.members
      writer.count(members.count)
      for member in members {
        writer.text(member.key)
        member.value.encode(to: &writer)
      }
    case .verbatim(let verbatim):
      kind(.verbatim)
      verbatim.value.encode(to: &writer)
      writer.text(verbatim.text)
    }
  }

  /// Decodes a value.
  ///
  /// Open containers are in a list, not on the stack: a damaged state may be nested as deeply as it is long.
  package init(from reader: inout StateDecoder) throws(StateError) {
    var open: [OpenContainer] = []
    while true {
      guard var value = try Self.scalar(from: &reader, or: &open) else { continue }
      while let container = open.last, container.lacksOne {
        value = open.removeLast().closed(with: value)
      }
      guard !open.isEmpty else {
        self = value
        return
      }
      try open[open.count - 1].append(value, &reader)
    }
  }

  /// Decodes a value without children; opens a container that has some.
  private static func scalar(
    from reader: inout StateDecoder, or open: inout [OpenContainer]
  ) throws(StateError) -> JSONValue? {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw StateError("unknown kind of value") }
    switch kind {
    case .null: return .null
    case .bool: return .bool(try Bool(from: &reader))
    case .number: return .number(try Double(from: &reader))
    case .string: return .string(try reader.text())
    case .text: return try RawJSON(from: &reader).value
    case .verbatim:
      guard let value = try scalar(from: &reader) else { throw StateError("text does not match its value") }
      let verbatim = Verbatim(value, text: try reader.text())
      guard verbatim.isWritten else { throw StateError("text does not match its value") }
      return .verbatim(verbatim)
    case .array, .object:
      let count = try reader.count()
      guard count > 0 else { return kind == .array ? .array([]) : .object(JSONObject()) }
      guard open.count < greatestMaximumDepth else { throw StateError("value is nested too deeply") }
      open.append(OpenContainer(count: count, key: kind == .object ? try reader.text() : nil))
      return nil
    }
  }

  /// Decodes a number or a string.
  private static func scalar(from reader: inout StateDecoder) throws(StateError) -> JSONValue? {
    switch Kind(rawValue: try reader.byte()) {
    case .number: .number(try Double(from: &reader))
    case .string: .string(try reader.text())
    default: nil
    }
  }
}

/// An array or an object with values that are still to be read.
private struct OpenContainer {
  /// The number of its values.
  let count: Int
  /// The key of the next value, for an object.
  var key: String?
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []

  init(count: Int, key: String?) {
    self.count = count
    self.key = key
  }

  /// True if only its last value is missing.
  var lacksOne: Bool { elements.count + members.count + 1 == count }

  /// Returns the container with its last value.
  consuming func closed(with value: JSONValue) -> JSONValue {
    guard let key else { return .array(elements + [value]) }
    return .object(JSONObject(distinct: members + [JSONObject.Member(key: key, value: value)]))
  }

  mutating func append(_ value: JSONValue, _ reader: inout StateDecoder) throws(StateError) {
    guard let key else { return elements.append(value) }
    members.append(JSONObject.Member(key: key, value: value))
    self.key = try reader.text()
  }
}

extension Verbatim {
  /// True if its text encodes its value.
  fileprivate var isWritten: Bool {
    let text = Array(text.utf8)
    return (try? JSONParser.value(onThisThread: text.span))?.plain == value
  }
}

extension JSONObject: StateCodable {
  package func encode(to writer: inout StateEncoder) { JSONValue.object(self).encode(to: &writer) }

  package init(from reader: inout StateDecoder) throws(StateError) {
    guard case .object(let object) = try JSONValue(from: &reader).plain else { throw StateError("no object") }
    self = object
  }
}

extension SignalFailure: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    self.init(code: try field(\.code), message: try field(\.message))
  }
}

extension SignalEnding: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .completed: writer.kind(0)
    case .interrupted: writer.kind(1)
    case .failed(let failure): writer.kind(2, failure)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .completed
    case 1: self = .interrupted
    default: self = .failed(try SignalFailure(from: &reader))
    }
  }
}

extension FirstInFirstOut: StateCodable where Element: StateCodable {
  package func encode(to writer: inout StateEncoder) { all.encode(to: &writer) }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self.init()
    for element in try [Element](from: &reader) { append(element) }
  }
}
