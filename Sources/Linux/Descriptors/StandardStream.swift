import Glibc

/// The standard streams, which the process inherits and never closes.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Occupies the numbers of streams that the process was started without.
  ///
  /// A socket would get such a number otherwise, and what is printed would go to its other end. Input and output fail with
  /// EBADF as before; messages are discarded.
  package static func reserve() {
    for (stream, flags) in [(Self.input, O_WRONLY), (.output, O_RDONLY), (.error, O_WRONLY)]
    where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free number is its own.
      _ = open("/dev/null", flags)
    }
  }
}
