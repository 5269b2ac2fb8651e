import Glibc

/// The reason that a program does not start, in one line unless a configuration is invalid, and the exit status.
///
/// Statuses are those of `sysexits.h`, which systemd knows by name.
package struct StartFailure: Error {
  package let message: String
  package let status: Int32

  package init(_ message: String, status: Int32) {
    self.message = message
    self.status = status
  }

  package init(_ error: Errno) { self.init("\(error)", status: EX_OSERR) }
}
