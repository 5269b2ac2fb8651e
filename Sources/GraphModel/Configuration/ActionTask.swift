package import JSON

/// The work of an action, as a file declares it.
package enum ActionTask: Sendable {
  case program(DeclaredProgram)
  case method(DeclaredMethod)
  case request(DeclaredRequest)
  case adapter(AdapterRequest)

  /// The connection that it needs, and the settings for the adapter.
  package var network: (connection: ConnectionReference, settings: JSONObject)? {
    switch self {
    case .program, .method: nil
    case .request(let request): (request.connection, request.settings)
    case .adapter(let request): (request.connection, request.settings)
    }
  }

  /// Its needs outside the graphs.
  package var needs: [OutsideNeed] {
    switch self {
    case .program(let program): program.command.needs
    case .method(let method): method.needs
    case .request, .adapter: network.map { [.connection($0.connection.name)] } ?? []
    }
  }

  /// True if failures of its calls have codes of their own; those of programs and methods are all `failed`.
  package var keepsCodes: Bool { network != nil }
}

/// A program of an action.
package struct DeclaredProgram: Sendable {
  package let command: Command
  /// The format of the lines of its output.
  package let format: LineFormat
  /// True if it stays, and answers each call by one line.
  package let isKept: Bool

  package init(command: Command, format: LineFormat, isKept: Bool) {
    self.command = command
    self.format = format
    self.isKept = isKept
  }
}
