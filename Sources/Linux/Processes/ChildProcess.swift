import CSystemd
import Glibc

/// A program that this process has started, with the descriptors to follow it by.
///
/// It runs in a process group of its own, in `/`, with no signal blocked or ignored and no descriptor but its standard
/// streams. Its owner reaps it; one that is let go of before that is ended by SIGKILL.
package struct ChildProcess: ~Copyable {
  /// The process, and its group.
  package let identifier: Int32
  /// Its standard output and its standard error; reading never blocks.
  package let output: OwnedDescriptor
  package let errors: OwnedDescriptor
  /// Readable once it has ended (`pidfd_open(2)`).
  package let end: OwnedDescriptor
  private var isReaped = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The path of its file, and its arguments.
  ///   - environment: All of its environment, as `NAME=value`.
  ///   - input: The bytes on its standard input.
  package init(_ command: [String], environment: [String], input: [UInt8]) throws(Errno) {
    let output = try Pipe()
    let errors = try Pipe()
    let input = try InputFile.open(input)
    let child = try SpawnAttributes(
      input: input.number, output: output.writer.number, errors: errors.writer.number
    ).spawn(command, environment)
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

  /// Ends it and every process of its group by SIGKILL, and reaps it.
  package mutating func kill() {
    if isReaped { return }
    isReaped = true
    Self.kill(identifier)
  }

  /// Sends a signal to it and to every process of its group.
  package borrowing func signal(_ number: Int32) { _ = Glibc.kill(-identifier, number) }

  /// Whether it has ended, be it that nobody has waited for it yet.
  package borrowing func hasEnded() -> Bool {
    isReaped || (try? end.transfer.wait(for: .readable, timeout: .zero))?.contains(.readable) ?? true
  }

  /// Whether a process of its group is left, once it has been reaped.
  package var hasLeftovers: Bool { Glibc.kill(-identifier, 0) == 0 || errno == EPERM }

  /// Its end; `nil` while it runs.
  ///
  /// Its number is free for others after that, unless its group has leftovers.
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
  /// By a signal.
  case killed(Int32)

  /// The status as `waitpid(2)` gives it.
  init(_ status: Int32) {
    let number = status & 0x7f
    self = number == 0 ? .exited(status >> 8 & 0xff) : .killed(number)
  }
}

/// A pipe whose reading side does not block.
private struct Pipe: ~Copyable {
  let reader: OwnedDescriptor
  let writer: OwnedDescriptor

  init() throws(Errno) {
    var numbers: [Int32] = [-1, -1]
    if pipe2(&numbers, O_CLOEXEC) == -1 { throw .last("pipe2") }
    let reader = OwnedDescriptor(owning: numbers[0])
    let writer = OwnedDescriptor(owning: numbers[1])
    try reader.setBlocking(false)
    self.reader = reader
    self.writer = writer
  }
}

/// The input of a program: a file in memory, so that nothing waits for the program to read.
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
