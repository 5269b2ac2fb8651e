/// Tells errors of a guarded expression from those of the sink of its outputs, which must not be caught here.
struct Guarded {
  /// The error that `run` caught.
  private(set) var error: ExpressionError?
  private var cameFromSink = false

  /// Runs an expression; gives `nil` when it ended in an error that may be caught.
  mutating func run(
    _ body: (inout Guarded) throws(ExpressionError) -> Flow
  ) throws(ExpressionError) -> Flow? {
    do throws(ExpressionError) {
      return try body(&self)
    } catch {
      guard error.isCatchable, !cameFromSink else { throw error }
      self.error = error
      return nil
    }
  }

  /// Hands an output on.
  mutating func pass(_ sink: () throws(ExpressionError) -> Flow) throws(ExpressionError) -> Flow {
    do throws(ExpressionError) {
      return try sink()
    } catch {
      cameFromSink = true
      throw error
    }
  }
}
