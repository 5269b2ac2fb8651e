package import GraphModel
package import JSON

/// An event of a pipe's call, for the signals of its action.
package enum ActionEvent: Sendable {
  case began
  case output(Payload)
  case failed(SignalFailure, status: Int32?)
  /// The work has ended.
  case over
}
