/// Distinguishes errors of a guarded expression from those of its output sink, which must not be caught here.
struct Guarded {
  /// The error that `run` caught.
  private(set) var error: ExpressionError?
  private var cameFromSink = false

  /// Runs an expression; returns `nil` if it ended in a catchable error.
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

  /// Passes an output to the sink.
  mutating func pass(_ sink: () throws(ExpressionError) -> Flow) throws(ExpressionError) -> Flow {
    do throws(ExpressionError) {
      return try sink()
    } catch {
      cameFromSink = true
      throw error
    }
  }
}
