import Foundation

/// The client as a process that goes on while a test looks at what it prints.
final class RunningClient {
  private let process = Process()
  private let (outputPipe, errorPipe) = (Pipe(), Pipe())
  /// All that has been read from standard output, and from standard error.
  private(set) var output = ""
  private var errors = ""

  convenience init(_ arguments: String..., socket: String) throws {
    try self.init(Client.program, arguments, socket: socket)
  }

  /// At a terminal of its own.
  ///
  /// - Parameter command: As one would type it; it is ended after half a minute.
  convenience init(atTerminal command: String, socket: String) throws {
    try self.init(
      URL(filePath: "/usr/bin/script"), ["--quiet", "--command", "timeout 30 \(command)", "/dev/null"], socket: socket)
  }

  private init(_ program: URL, _ arguments: [String], socket: String) throws {
    process.executableURL = program
    process.arguments = arguments
    let programs = Client.program.deletingLastPathComponent().path
    process.environment = ["PATH": "\(programs):/usr/bin:/bin", "SIGNALBOX_SOCKET": socket]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.run()
  }

  /// Waits until a text has come on standard output.
  func waitForOutput(_ text: String) throws {
    try Self.wait(for: text, in: outputPipe, &output) { $0.contains(text) }
  }

  /// The first lines of standard output, once they are there.
  func lines(_ count: Int) throws -> [String] {
    try Self.wait(for: "\(count) lines", in: outputPipe, &output) { $0.count(where: \.isNewline) >= count }
    return output.split(whereSeparator: \.isNewline).prefix(count).map(String.init)
  }

  /// Waits until a text has come on standard error.
  func waitForError(_ text: String) throws {
    try Self.wait(for: text, in: errorPipe, &errors) { $0.contains(text) }
  }

  private static func wait(
    for text: String, in pipe: Pipe, _ seen: inout String, until isThere: (String) -> Bool
  ) throws {
    while !isThere(seen) {
      var entry = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let more = poll(&entry, 1, 20_000) == 1 ? pipe.fileHandleForReading.availableData : Data()
      if more.isEmpty { throw Ended(before: text, seen: seen) }
      seen += String(decoding: more, as: UTF8.self)
    }
  }

  private struct Ended: Error {
    let before: String
    let seen: String
  }

  /// Ends it; the threads of tests hold back every signal that can be held back, and their children inherit that.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
