import Glibc
package import Linux
package import SignalGraph

/// Why the daemon does not start: what to tell, in one line unless a configuration is wrong, and the exit status.
///
/// Statuses are those of `sysexits.h`, which systemd knows by name.
package struct StartFailure: Error {
  package let message: String
  package let status: Int32

  package init(_ message: String, status: Int32) {
    self.message = message
    self.status = status
  }

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
      self.init("\(error.path) does not exist: write it, or name another with --config", status: 66)  // EX_NOINPUT
    case .system(EACCES), .system(EPERM):
      self.init("\(error): give this user the right to read it", status: 77)  // EX_NOPERM
    default: self.init("\(error)", status: 66)
    }
  }

  package init(_ error: ListenError) {
    switch error {
    case .inUse(let path):
      self.init(
        "\(path): another process listens there: stop it, or choose another socket with --socket", status: 69)
    case .notASocket(let path):
      self.init("\(path) is no socket: remove it, or choose another path with --socket", status: 73)  // EX_CANTCREAT
    case .system(let error) where error.isDenied:
      self.init("\(error): give this user the right, or choose another path with --socket", status: 77)
    case .system(let error) where error.number == ENOENT:
      self.init("\(error): create its folder, or choose another path with --socket", status: 73)
    case .system(let error): self.init("\(error)", status: 73)
    }
  }

  package init(_ error: Errno) {
    self.init("\(error)", status: 71)  // EX_OSERR
  }
}
