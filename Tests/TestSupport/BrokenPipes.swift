import Glibc

/// Protection against writes to an exited process, which by default would end all tests.
package enum BrokenPipes {
  /// Makes such a write fail instead, from the first access on.
  package static let fail: Void = {
    signal(SIGPIPE, SIG_IGN)
  }()
}
