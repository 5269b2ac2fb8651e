package import JSON

/// The answer of a sink: continue or stop.
package enum Flow: Sendable {
  case next
  /// Stop.
  case stop
}

/// A receiver of the outputs of an expression, one by one.
package typealias Sink = (JSONValue) throws(ExpressionError) -> Flow
