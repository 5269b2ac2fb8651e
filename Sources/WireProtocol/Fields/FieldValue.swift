package import JSON

/// A type that a field of a request can have.
package protocol FieldValue: Sendable {
  /// The expected value, with its article: "a string".
  static var expectation: String { get }
  /// The greatest value of a type whose values are integers.
  static var greatest: UInt64? { get }

  /// Parses the field; `nil` if the value has another type or form.
  init?(field: RawJSON)

  func write(to writer: inout JSONWriter)
}

extension FieldValue {
  package static var greatest: UInt64? { nil }

  /// The expected value in place of a text; where that is an integer beyond the type, with the greatest one.
  package static func expectation(insteadOf text: String) -> String {
    guard let greatest, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), UInt64(text) ?? .max >= greatest
    else { return expectation }
    return "\(expectation), and at most \(greatest)"
  }
}

extension String: FieldValue {
  package static var expectation: String { "a string" }

  package init?(field: RawJSON) {
    guard case .string(let string) = field.value.plain else { return nil }
    self = string
  }

  package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: FieldValue {
  package static var expectation: String { "true or false" }

  package init?(field: RawJSON) {
    guard case .bool(let isTrue) = field.value else { return nil }
    self = isTrue
  }

  package func write(to writer: inout JSONWriter) { writer.write(.bool(self)) }
}

extension UInt64: FieldValue {
  package static var expectation: String { "an integer, 0 or more" }
  package static var greatest: UInt64? { .max }

  /// Parses `5` and `5.0` alike; beyond 2⁵³ every digit counts.
  package init?(field: RawJSON) {
    guard case .number(let number) = field.value.plain else { return nil }
    guard let integer = UInt64(String(decoding: field.bytes, as: UTF8.self)) ?? UInt64(exactly: number) else {
      return nil
    }
    self = integer
  }

  package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Payload: FieldValue {
  package static var expectation: String { "any JSON value" }

  package init?(field: RawJSON) { self = .raw(field) }

  package func write(to writer: inout JSONWriter) { writer.write(self) }
}
