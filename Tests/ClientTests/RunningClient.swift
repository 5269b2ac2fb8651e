import Foundation

/// A client process that runs while a test reads its output.
final class RunningClient {
  private let process = Process()
  private let (outputPipe, errorPipe) = (Pipe(), Pipe())
  /// The output read so far, from standard output and standard error.
  private(set) var output = ""
  private var errors = ""

  convenience init(_ arguments: String..., socket: String) throws {
    try self.init(Client.program, arguments, socket: socket)
  }

  /// Starts the client at a terminal of its own.
  ///
  /// - Parameter command: The command line; it is ended after half a minute.
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

  /// Waits for a text on standard output.
  func waitForOutput(_ text: String) throws {
    try Self.wait(for: text, in: outputPipe, &output) { $0.contains(text) }
  }

  /// Returns the first lines of standard output, once available.
  func lines(_ count: Int) throws -> [String] {
    try Self.wait(for: "\(count) lines", in: outputPipe, &output) { $0.count(where: \.isNewline) >= count }
    return output.split(whereSeparator: \.isNewline).prefix(count).map(String.init)
  }

  /// Waits for a text on standard error.
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

  /// Sends it a signal, and waits until it has ended.
  ///
  /// - Returns: The signal that has ended it, or its exit status.
  func end(by signal: Int32) -> (signal: Int32?, status: Int32) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? (status, 0) : (nil, status)
  }

  /// Kills it; test threads block every blockable signal, and their children inherit that.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
