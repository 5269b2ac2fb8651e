/// Writes values as compact JSON into a buffer of bytes.
///
/// Strings have only the escapes required by RFC 8259; `.verbatim` scalars keep their text.
package struct JSONWriter {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package mutating func write(_ payload: Payload) {
    switch payload {
    case .raw(let raw): write(raw)
    case .value(let value): write(value)
    }
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(literal: "null")
    case .bool(let isTrue): write(literal: isTrue ? "true" : "false")
    case .number(let number): write(number)
    case .string(let string): write(string)
    case .array(let elements): write(elements)
    case .object(let object): write(object)
    case .verbatim(let verbatim): bytes.append(contentsOf: verbatim.text.utf8)
    }
  }

  /// Appends text that is valid JSON.
  package mutating func write(literal text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends text that is valid JSON.
  package mutating func write(text: [UInt8]) { bytes.append(contentsOf: text) }

  private mutating func write(_ elements: [JSONValue]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ raw: RawJSON) {
    raw.withSpan { text in text.withUnsafeBytes { bytes.append(contentsOf: $0) } }
  }

  private mutating func write(_ object: JSONObject) {
    if let text = object.text, text.isCompact { return write(text) }
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in object.members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(member.key)
      bytes.append(UInt8(ascii: ":"))
      write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  package var description: String { String(decoding: json, as: UTF8.self) }
}

extension Payload: CustomStringConvertible {
  /// The payload as JSON: its own bytes, or its value written.
  package var json: [UInt8] {
    switch self {
    case .raw(let raw): raw.bytes
    case .value(let value): value.json
    }
  }

  package var description: String { String(decoding: json, as: UTF8.self) }
}
