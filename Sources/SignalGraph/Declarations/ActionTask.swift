/// The work of an action, as a file declares it.
enum ActionTask: Sendable {
  /// A program, and the format of a line of its output.
  case program(Command, LineFormat)
  case method(DeclaredMethod)

  /// The things that it needs of the world outside.
  var needs: [OutsideNeed] {
    switch self {
    case .program(let command, _): command.needs
    case .method(let method): method.needs
    }
  }

  /// The work of one call.
  ///
  /// - Parameter action: The full name of the action.
  func work(of action: String) -> any CallWork {
    switch self {
    case .program(let command, let format): ProgramWork(command, format, of: action)
    case .method(let method): MethodWork(method, of: action)
    }
  }
}
