package import JSON
package import ReactiveCore

/// An action as clients call it.
package protocol CallableAction: AnyObject {
  /// `graph.action`.
  var name: String { get }

  /// The clients that may call it, its graph's rules already taken in.
  var access: AccessRules { get }

  /// Starts a run.
  ///
  /// - Parameters:
  ///   - value: The value that the client sent with the call.
  ///   - observer: Told of each output, then of the end; on the graphs' thread, perhaps before this returns.
  /// - Returns: A disposable that cancels the run, without a word to the observer.
  func call(_ value: Payload?, _ observer: @escaping (CallEvent) -> Void) throws(CallRefusal) -> any Disposable
}

/// An event of a run of an action: outputs come first, then one end.
package enum CallEvent: Sendable {
  case next(Payload)
  case completed
  /// - Parameter status: The exit status of its program, where it had one.
  case failed(SignalFailure, status: Int32?)
  case timedOut
}

/// Why an action does not run.
package enum CallRefusal: Error {
  /// Its `enabled_if` is not true.
  case disabled
  /// It runs already.
  case busy
}
