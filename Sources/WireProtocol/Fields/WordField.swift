package import JSON

/// A field that is one of a few words.
package protocol WordField: FieldValue, CaseIterable, RawRepresentable where RawValue == String {}

extension WordField {
  package static var expectation: String {
    "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(rawValue: text)
  }

  package func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}
