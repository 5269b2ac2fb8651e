package import JSON

/// The answer of a sink: whether it wants more outputs.
package enum Flow: Sendable {
  case next
  /// No more outputs are wanted.
  case stop
}

/// Takes the outputs of an expression, one by one.
package typealias Sink = (JSONValue) throws(ExpressionError) -> Flow
