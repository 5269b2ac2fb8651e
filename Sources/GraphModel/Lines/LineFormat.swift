/// The conversion of a line to a value.
package enum LineFormat: Sendable {
  /// The line as a string.
  case text
  case json
  /// `key=value` and flags, as an object.
  case logfmt
  /// Fields as an object; the first line names the columns if they are not given.
  case csv(CSVForm)
  /// The named groups of a regular expression, as an object.
  case pattern(LinePattern)

  /// True if the first line names columns and is not a value.
  package var hasHeader: Bool {
    if case .csv(let form) = self { form.columns == nil } else { false }
  }

  /// The formats given by a word alone.
  package static let words = ["text", "json", "logfmt", "csv"]
}

/// The format of lines of fields.
package struct CSVForm: Sendable {
  /// The names of the columns; `nil` if the first line gives them.
  package var columns: [String]?
  package var separator = UInt8(ascii: ",")
}
