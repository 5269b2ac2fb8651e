/// How several lines make one value.
struct Multiline: Sendable {
  /// Whether a line, as a string, begins another record.
  let begins: GraphExpression
  /// How long a record waits for its next line.
  var wait = Duration.seconds(1)

  /// More lines make no record.
  static let maximumLines = 1000
}
