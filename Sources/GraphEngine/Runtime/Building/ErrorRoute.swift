import GraphModel
import JSON
import Signals

/// The treatment of values that a signal's operators refuse.
package struct ErrorRoute {
  let policy: ErrorPolicy
  /// The exit of errors from the signal, with `emit`.
  let exit: ErrorExit?
  /// The members emitted beside the error.
  private var context = JSONObject()

  init(_ policy: ErrorPolicy, leavingBy exit: ErrorExit? = nil) {
    self.policy = policy
    self.exit = exit
  }

  /// Returns a route that adds a member to its errors, such as their origin.
  func adding(_ name: String, _ value: JSONValue) -> ErrorRoute {
    var route = self
    route.context[name] = value
    return route
  }

  /// Returns the value emitted in place of a refused one.
  func value(of error: JSONValue) -> Payload {
    var object = context
    object["error"] = error
    return .value(.object(object))
  }
}

/// The place at the end of a signal's pipe where its errors are emitted.
///
/// An error bypasses the operators after the one that made it, which would take it for an input value.
final class ErrorExit {
  private var output: StreamObserver?

  /// Returns the stream of a whole pipe with the errors of its operators.
  func joining(_ stream: Stream) -> Stream {
    Stream { output, lifetime in
      self.output = output
      lifetime.observeEnded { self.close() }
      lifetime += stream.observe(
        StreamObserver(value: { output.send(value: $0) }, ending: { output.send($0) }))
    }
  }

  func emit(_ error: Payload) { output?.send(value: error) }

  func close() { output = nil }
}
