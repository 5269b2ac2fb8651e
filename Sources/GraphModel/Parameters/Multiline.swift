/// The rule that makes one value of several lines.
package struct Multiline: Sendable {
  /// The condition on a line, as a string, to begin another record.
  package let begins: GraphExpression
  /// The time that a record waits for its next line.
  package var wait = Duration.seconds(1)

  /// The greatest number of lines in a record.
  package static let maximumLines = 1000
}
