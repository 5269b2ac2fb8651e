/// How a line becomes a value.
enum LineFormat: Sendable {
  /// The line as a string.
  case text
  case json
  /// `key=value` and flags, as an object.
  case logfmt
  /// Fields as an object; the first line names the columns where they are not given.
  case csv(CSVForm)
  /// The named groups of a regular expression, as an object.
  case pattern(LinePattern)

  /// Whether a first line is no value, but says what the others mean.
  var hasHeader: Bool {
    if case .csv(let form) = self { form.columns == nil } else { false }
  }

  /// The formats that are a word by themselves.
  static let words = ["text", "json", "logfmt", "csv"]
}

/// How lines of fields are to be read.
struct CSVForm: Sendable {
  /// `nil` for those that the first line names.
  var columns: [String]?
  var separator = UInt8(ascii: ",")
}
