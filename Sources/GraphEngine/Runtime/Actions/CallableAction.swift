package import GraphModel
package import JSON
package import Signals

/// An action that clients can call.
package protocol CallableAction: AnyObject {
  /// `graph.action`.
  var name: String { get }

  /// The clients that may call it, with its graph's rules merged in.
  var access: AccessRules { get }

  /// Starts a run.
  ///
  /// - Parameters:
  ///   - value: The value that the client sent with the call.
  ///   - observer: Receives each output and then the end, on the graphs' thread, possibly before this returns.
  /// - Returns: A disposable that cancels the run; the observer receives nothing more then.
  func call(_ value: Payload?, _ observer: @escaping (RunEvent) -> Void) throws(CallRefusal) -> any Disposable
}

/// An event of a run of an action: outputs, then exactly one end.
package enum RunEvent: Sendable {
  case next(Payload)
  case completed
  /// - Parameter status: The exit status of its program, if any.
  case failed(SignalFailure, status: Int32?)
  case timedOut
}

/// The reason that an action does not run.
package enum CallRefusal: Error {
  /// Its `enabled_if` is not true.
  case disabled
  /// It is running already.
  case busy
}
