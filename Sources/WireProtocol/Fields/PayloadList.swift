package import JSON

/// Several values for one signal, at least one.
package struct PayloadList: FieldValue {
  package static var expectation: String { "an array of one value or more" }

  package let payloads: [Payload]

  /// - Returns: `nil` for no values.
  package init?(_ payloads: [Payload]) {
    guard !payloads.isEmpty else { return nil }
    self.payloads = payloads
  }

  package init?(field: RawJSON) {
    guard let payloads = field.elements else { return nil }
    self.init(payloads)
  }

  package func write(to writer: inout JSONWriter) { writer.write(.array(payloads.map(\.value))) }
}
