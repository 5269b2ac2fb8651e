/// The rule that makes one value of several lines.
struct Multiline: Sendable {
  /// The condition on a line, as a string, to begin another record.
  let begins: GraphExpression
  /// The time that a record waits for its next line.
  var wait = Duration.seconds(1)

  /// The greatest number of lines in a record.
  static let maximumLines = 1000
}
