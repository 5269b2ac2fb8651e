import Glibc

/// Writing to a process that has ended, which by itself ends the writer: here that is all tests at once.
package enum BrokenPipes {
  /// Has such a write fail instead, from the first time on that this is asked for.
  package static let fail: Void = {
    signal(SIGPIPE, SIG_IGN)
  }()
}
