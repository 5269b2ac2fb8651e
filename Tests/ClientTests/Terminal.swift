import Foundation
import Glibc

/// A pseudo-terminal (`pty(7)`).
final class Terminal {
  // TIOCGPTN and TIOCSPTLCK, whose C macros Swift does not import.
  private static let getNumber: UInt = 0x8004_5430
  private static let setLock: UInt = 0x4004_5431

  private let ours: Int32
  private let theirs: Int32
  private var screen = ""

  init(rows: UInt16, columns: UInt16) throws {
    ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: UInt32 = 0
    var lock: Int32 = 0
    guard ours >= 0, ioctl(ours, Self.getNumber, &number) == 0, ioctl(ours, Self.setLock, &lock) == 0 else {
      throw POSIXError(.EIO)
    }
    theirs = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    resize(rows: rows, columns: columns)
  }

  deinit {
    close(ours)
    close(theirs)
  }

  func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(theirs, UInt(TIOCSWINSZ), &size)
  }

  func run(
    program: URL = Client.program, _ arguments: [String], socket: String, _ environment: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment.merging(["SIGNALBOX_SOCKET": socket]) { $1 }
    process.standardInput = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
    process.standardOutput = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
    process.standardError = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
    try process.run()
    return process
  }

  /// Returns the output of a command that ends.
  func show(
    _ arguments: String..., socket: String = "/nowhere", environment: [String: String] = ["TERM": "xterm"]
  ) throws -> String {
    try show(arguments, socket: socket, environment: environment)
  }

  func show(_ arguments: [String], socket: String, environment: [String: String]) throws -> String {
    let process = try run(arguments, socket: socket, environment)
    process.waitUntilExit()
    _ = write(theirs, "\u{4}", 1)
    return String(try read(until: "\u{4}").dropLast()).replacing("\r\n", with: "\n")
  }

  func type(_ text: String) { _ = text.utf8.withContiguousStorageIfAvailable { write(ours, $0.baseAddress, $0.count) } }

  /// True while the terminal echoes input.
  var echoes: Bool {
    var mode = termios()
    tcgetattr(theirs, &mode)
    return mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads the output up to and including a text.
  func read(until text: String) throws -> String {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if let range = screen.range(of: text) {
        defer { screen = String(screen[range.upperBound...]) }
        return String(screen[..<range.upperBound])
      }
      var entry = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 20_000) == 1 else { break }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Glibc.read(ours, &bytes, bytes.count)
      guard count > 0 else { throw POSIXError(.EIO) }
      screen += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    throw Missing(text: text, screen: String(screen.suffix(4000)))
  }

  /// The failure to find a text, with the end of the unread output.
  private struct Missing: Error {
    let text: String
    let screen: String
  }
}
