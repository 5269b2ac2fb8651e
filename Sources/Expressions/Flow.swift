package import JSON

/// What the taker of an output wants next.
package enum Flow: Sendable {
  case next
  /// No more outputs are wanted; whoever makes them stops.
  case stop
}

/// Takes the outputs of an expression, one by one.
package typealias Sink = (JSONValue) throws(ExpressionError) -> Flow
