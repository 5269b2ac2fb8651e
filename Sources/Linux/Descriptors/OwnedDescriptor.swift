import Glibc

/// A file descriptor with one owner, closed with this value.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number, to be borrowed by calls; must not be closed through this.
  package let number: Int32

  /// Takes ownership of a descriptor.
  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    _ = Glibc.close(number)
  }

  /// Closes the descriptor and reports errors (`close(2)`); it is released in either case.
  package consuming func close() throws(Errno) {
    if Glibc.close(release()) == -1 && errno != EINTR { throw .last("close") }
  }

  /// Transfers ownership of the returned number to the caller.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Returns another descriptor of the open file (`F_DUPFD_CLOEXEC`).
  package borrowing func duplicate() throws(Errno) -> OwnedDescriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    if copy == -1 { throw .last("fcntl") }
    return OwnedDescriptor(owning: copy)
  }

  /// Sets or clears `O_NONBLOCK`, with which calls return EAGAIN instead of waiting.
  package borrowing func setBlocking(_ blocking: Bool) throws(Errno) {
    let flags = fcntl(number, F_GETFL)
    if flags == -1 { throw .last("fcntl") }
    let wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK
    if wanted != flags && fcntl(number, F_SETFL, wanted) == -1 { throw .last("fcntl") }
  }

  /// The result of `isatty(3)`.
  package var isTerminal: Bool { isatty(number) == 1 }
}
