package import JSON

/// A count of at least one.
package struct Count: FieldValue, Equatable {
  package static var expectation: String { "an integer, 1 or more" }
  package static var greatest: UInt64? { UInt64(Int.max) }

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
