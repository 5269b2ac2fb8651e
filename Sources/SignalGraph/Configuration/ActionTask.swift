/// The work of an action, as a file declares it.
enum ActionTask: Sendable {
  /// A program, and the line format of its output.
  case program(Command, LineFormat)
  case method(DeclaredMethod)
  case request(DeclaredRequest)

  /// Its needs outside the graphs.
  var needs: [OutsideNeed] {
    switch self {
    case .program(let command, _): command.needs
    case .method(let method): method.needs
    case .request(let request): request.connection.needs
    }
  }

  /// True if failures of its calls have codes of their own; those of programs and methods are all `failed`.
  var keepsCodes: Bool { if case .request = self { true } else { false } }
}
