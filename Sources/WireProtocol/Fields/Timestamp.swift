internal import Base
internal import JSON

/// A point in time, encoded as RFC 3339 in UTC with microseconds.
package struct Timestamp: Sendable, Equatable {
  /// Microseconds since 1970-01-01T00:00:00Z without leap seconds; from year 0 to 9999.
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// The timestamp in RFC 3339 form.
  package var text: String { RFC3339.text(microseconds: microseconds) }

  func write(to writer: inout JSONWriter) {
    writer.write(literal: "\"")
    RFC3339.append(microseconds: microseconds, to: &writer.bytes)
    writer.write(literal: "\"")
  }
}
