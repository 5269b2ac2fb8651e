import Glibc
package import GraphModel
package import Linux

/// The reasons that the daemon does not start.
extension StartFailure {
  package init(_ error: ConfigurationError) {
    switch error {
    case .unreadable(let error): self.init(error)
    case .invalid(let diagnostics):
      self.init(String(DiagnosticRenderer.text(diagnostics).dropLast()), status: 78)  // EX_CONFIG
    }
  }

  private init(_ error: ConfigurationFileError) {
    switch error.failure {
    case .missing:
      self.init("\(error.path) does not exist: create it, or give another with --config", status: 66)  // EX_NOINPUT
    case .system(EACCES), .system(EPERM):
      self.init("\(error): grant this user read permission", status: 77)  // EX_NOPERM
    default: self.init("\(error)", status: 66)
    }
  }

  package init(_ error: ListenError) {
    switch error {
    case .inUse(let path):
      self.init(
        "\(path): another process is listening on it: stop it, or choose another socket with --socket", status: 69)
    case .notASocket(let path):
      self.init("\(path) is not a socket: remove it, or choose another path with --socket", status: 73)  // EX_CANTCREAT
    case .foreign:
      self.init(
        "\(error): grant this user permission, remove the socket if it is left over, or choose another with --socket",
        status: 77)
    case .refused(let reason): self.init(reason, status: 64)  // EX_USAGE
    case .system(let error) where error.isDenied:
      self.init("\(error): grant this user permission, or choose another path with --socket", status: 77)
    case .system(let error) where error.number == ENOENT:
      self.init("\(error): create its directory, or choose another path with --socket", status: 73)
    case .system(let error): self.init("\(error)", status: 73)
    }
  }
}
