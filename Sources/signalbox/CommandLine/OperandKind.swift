/// What can stand in a place of a command line, for the shells that complete it.
enum OperandKind: Equatable, Sendable {
  /// Something that only the person knows.
  case anything
  case file
  /// One of these words.
  case word([String])
  /// The name of a signal, or of an action, that the daemon has.
  case signal, action
  case command
  case `operator`
}
