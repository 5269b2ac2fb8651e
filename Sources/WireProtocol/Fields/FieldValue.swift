package import JSON

/// A type that a field of a request can have.
package protocol FieldValue: Sendable {
  /// The expected value, with its article: "a string".
  static var expectation: String { get }

  /// Parses the field; `nil` if the value has another type or form.
  init?(field: RawJSON)

  func write(to writer: inout JSONWriter)
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
