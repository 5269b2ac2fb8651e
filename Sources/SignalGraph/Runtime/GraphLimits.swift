/// The bounds within which a graph works; past one, the value is dropped and the signal named.
package struct GraphLimits: Equatable, Sendable {
  /// Values in one turn.
  package var turn = 100_000
  /// Steps of one evaluation of an expression.
  package var expression = 100_000
  /// Bytes of one value.
  package var value = 1 << 20
  /// Bytes of a line, and of a file that is read as a value.
  package var line = 1 << 20

  package init() {}
}
