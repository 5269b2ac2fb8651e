internal import JSON

/// One field of a request: its name, type and purpose, bound to the property that holds it.
package struct RequestField<Request: WireRequest>: Sendable {
  package let name: String
  package let expectation: String
  package let isRequired: Bool
  package let doc: String
  /// Returns the expectation in place of an invalid value.
  let expectationInstead: @Sendable (_ of: String) -> String
  /// Reads the field; `false` if the value is invalid.
  let read: @Sendable (inout Request, RawJSON) -> Bool
  /// Writes the member after a comma, if the request has it.
  let write: @Sendable (Request, inout JSONWriter) -> Void

  package static func required<Value: FieldValue>(
    _ name: String, _ property: any (WritableKeyPath<Request, Value> & Sendable), _ doc: String
  ) -> Self {
    Self(
      name: name, expectation: Value.expectation, isRequired: true, doc: doc,
      expectationInstead: { Value.expectation(insteadOf: $0) }
    ) { request, text in
      guard let value = Value(field: text) else { return false }
      request[keyPath: property] = value
      return true
    } write: { request, writer in
      Self.write(name, request[keyPath: property], to: &writer)
    }
  }

  package static func optional<Value: FieldValue>(
    _ name: String, _ property: any (WritableKeyPath<Request, Value?> & Sendable), _ doc: String
  ) -> Self {
    Self(
      name: name, expectation: Value.expectation, isRequired: false, doc: doc,
      expectationInstead: { Value.expectation(insteadOf: $0) }
    ) { request, text in
      guard let value = Value(field: text) else { return false }
      request[keyPath: property] = value
      return true
    } write: { request, writer in
      if let value = request[keyPath: property] { Self.write(name, value, to: &writer) }
    }
  }

  private static func write(_ name: String, _ value: some FieldValue, to writer: inout JSONWriter) {
    writer.write(literal: ",")
    writer.write(name)
    writer.write(literal: ":")
    value.write(to: &writer)
  }
}
