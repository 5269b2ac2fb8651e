package import JSON

/// A number of things that is at least one.
package struct Count: FieldValue, Equatable {
  package static var expectation: String { "a whole number, 1 or more" }

  package let value: Int

  /// - Returns: `nil` for less than one.
  package init?(_ value: Int) {
    guard value > 0 else { return nil }
    self.value = value
  }

  package init?(field: RawJSON) {
    guard let number = UInt64(field: field), let value = Int(exactly: number) else { return nil }
    self.init(value)
  }

  package func write(to writer: inout JSONWriter) { writer.write(value) }
}
