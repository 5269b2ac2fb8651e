import CSystemd
import Glibc

/// A child process with descriptors for its streams and its end.
///
/// It runs in its own process group, in `/`, with no signals blocked or ignored and no descriptors but its standard
/// streams. Its owner reaps it; if released before that, it is killed by SIGKILL. A bound one runs in the folder of this
/// process, and ends with it.
package struct ChildProcess: ~Copyable {
  /// The ID of the process and of its group.
  package let identifier: Int32
  /// Standard output and standard error; reads never block.
  package let output: OwnedDescriptor
  package let errors: OwnedDescriptor
  /// A descriptor that is readable after its end (`pidfd_open(2)`).
  package let end: OwnedDescriptor
  private var isReaped = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The complete environment, as `NAME=value`.
  ///   - input: The bytes on its standard input.
  ///   - passed: A descriptor that it gets as number 3.
  ///   - signal: For a bound process, which gets no descriptor: the signal that ends it with the calling thread.
  package init(
    _ command: [String], environment: [String], input: [UInt8], passing passed: Int32? = nil,
    endingBy signal: Int32? = nil
  ) throws(Errno) {
    let input = try InputFile.open(input)
    try self.init(command, environment: environment, reading: input.number, passing: passed, endingBy: signal)
  }

  /// Starts a program whose standard input is a descriptor of this process.
  package init(
    _ command: [String], environment: [String], reading input: Int32, passing passed: Int32? = nil,
    endingBy signal: Int32? = nil
  ) throws(Errno) {
    let output = try Pipe()
    let errors = try Pipe()
    try output.reader.setBlocking(false)
    try errors.reader.setBlocking(false)
    let attributes = SpawnAttributes(
      input: input, output: output.writer.number, errors: errors.writer.number, passed: passed)
    let child =
      if let signal {
        try attributes.spawn(command, environment, endingBy: signal)
      } else {
        try attributes.spawn(command, environment)
      }
    let end = signalbox_pidfd_open(child)
    guard end != -1 else {
      let failure = Errno.last("pidfd_open")
      Self.kill(child)
      throw failure
    }
    identifier = child
    self.end = OwnedDescriptor(owning: end)
    self.output = output.reader
    self.errors = errors.reader
  }

  deinit {
    if !isReaped { Self.kill(identifier) }
  }

  /// Kills the process and its group by SIGKILL, and reaps it.
  package mutating func kill() {
    if isReaped { return }
    isReaped = true
    Self.kill(identifier)
  }

  /// Sends a signal to the process and its group.
  package borrowing func signal(_ number: Int32) { _ = Glibc.kill(-identifier, number) }

  /// Checks for the end of the process, reaped or not.
  package borrowing func hasEnded() -> Bool {
    isReaped || (try? end.transfer.wait(for: .readable, timeout: .zero))?.contains(.readable) ?? true
  }

  /// True if processes of its group remain after it was reaped.
  package var hasLeftovers: Bool { Glibc.kill(-identifier, 0) == 0 || errno == EPERM }

  /// Reaps the process; `nil` while it runs.
  ///
  /// Afterwards its ID may be reused, unless processes of its group remain.
  package mutating func reap() throws(Errno) -> ExitStatus? {
    var status: Int32 = 0
    let child = identifier
    let result = retryingInterrupts { waitpid(child, &status, WNOHANG) }
    if result == -1 { throw .last("waitpid") }
    if result == 0 { return nil }
    isReaped = true
    return ExitStatus(status)
  }

  private static func kill(_ identifier: Int32) {
    _ = Glibc.kill(-identifier, SIGKILL)
    _ = retryingInterrupts { waitpid(identifier, nil, 0) }
  }
}

/// The end of a process.
package enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  /// Killed by a signal.
  case killed(Int32)

  /// Decodes the status of `waitpid(2)`.
  init(_ status: Int32) {
    let number = status & 0x7f
    self = number == 0 ? .exited(status >> 8 & 0xff) : .killed(number)
  }
}

/// A program's input as a file in memory, so that no write has to wait for its reader.
private enum InputFile {
  static func open(_ content: [UInt8]) throws(Errno) -> OwnedDescriptor {
    if content.isEmpty {
      let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
      if number == -1 { throw .last("open", "/dev/null") }
      return OwnedDescriptor(owning: number)
    }
    let number = memfd_create("input", UInt32(FD_CLOEXEC))
    if number == -1 { throw .last("memfd_create") }
    let file = OwnedDescriptor(owning: number)
    try file.transfer.writeAll(content)
    if lseek(file.number, 0, SEEK_SET) == -1 { throw .last("lseek") }
    return file
  }
}
