/// The bounds of one evaluation; exceeding one is an error for that value.
package struct ExpressionLimits: Sendable, Equatable {
  /// Steps: one for each operation that loops, calls or joins, and one for each kilobyte copied.
  package var steps: Int
  /// Bytes of a string, or of an output as JSON.
  package var bytes: Int
  /// Levels of arrays and objects in an output.
  package var depth: Int

  package init(steps: Int = 100_000, bytes: Int = 1 << 20, depth: Int = 512) {
    self.steps = steps
    self.bytes = bytes
    self.depth = depth
  }

  package static let `default` = ExpressionLimits()
}
