/// Why a signal did not take what was sent to it.
package enum SendError: Error, Equatable, Sendable {
  /// The signal is computed; `kind` says from what.
  case notAnInput(kind: SignalKind)
  /// The value is not of the declared type.
  case badValue(expected: String, found: String)
  case ended
  /// Only a signal that is declared `endable: true` can be ended from outside.
  case notEndable
  /// The work to be done with the value did not succeed, such as writing it to a file.
  case failed(SignalFailure)
}
