package import JSON

/// An event of a call that a pipe makes, for the signals of its action.
package enum ActionNews: Sendable {
  case began
  case output(Payload)
  case failed(SignalFailure, status: Int32?)
  /// Its program is gone.
  case over
}
