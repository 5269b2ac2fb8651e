/// The reason that a signal rejects a value or an ending from outside.
package enum SendError: Error, Equatable, Sendable {
  /// The signal is computed; `kind` names its source.
  case notAnInput(kind: SignalKind)
  /// The value is not of the declared type.
  case badValue(expected: String, found: String)
  case ended
  /// Only a signal that is declared `endable: true` can be ended from outside.
  case notEndable
  /// The required work with the value failed, such as writing it to a file.
  case failed(SignalFailure)
}
