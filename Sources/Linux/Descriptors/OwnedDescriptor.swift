import Glibc

/// A file descriptor with one owner, closed when that owner lets go of it.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number, for calls that borrow it; never close it through this.
  package let number: Int32

  /// Takes over a descriptor that nothing else closes.
  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    _ = Glibc.close(number)
  }

  /// Closes now, and says so if the kernel reports an error (`close(2)`); the descriptor is gone either way.
  package consuming func close() throws(Errno) {
    if Glibc.close(release()) == -1 && errno != EINTR { throw .last("close") }
  }

  /// Gives up ownership: the caller closes the number that comes back.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Another descriptor of the same open file (`F_DUPFD_CLOEXEC`).
  package borrowing func duplicate() throws(Errno) -> OwnedDescriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    if copy == -1 { throw .last("fcntl") }
    return OwnedDescriptor(owning: copy)
  }

  /// Makes calls return at once with EAGAIN instead of waiting, or wait again.
  package borrowing func setBlocking(_ blocking: Bool) throws(Errno) {
    let flags = fcntl(number, F_GETFL)
    if flags == -1 { throw .last("fcntl") }
    let wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK
    if wanted != flags && fcntl(number, F_SETFL, wanted) == -1 { throw .last("fcntl") }
  }

  /// Whether a person's terminal is at the other end (`isatty(3)`).
  package var isTerminal: Bool { isatty(number) == 1 }
}

/// The standard streams, which the process was given and never closes.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var isTerminal: Bool { isatty(rawValue) == 1 }
}
