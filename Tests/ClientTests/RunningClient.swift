import Foundation

/// The client as a process that goes on while a test looks at what it prints.
final class RunningClient {
  private let process = Process()
  private let (outputPipe, errorPipe) = (Pipe(), Pipe())
  /// All that has been read from standard output, and from standard error.
  private(set) var output = ""
  private var errors = ""

  init(_ arguments: String..., socket: String) throws {
    process.executableURL = Client.program
    process.arguments = arguments
    process.environment = ["SIGNALBOX_SOCKET": socket]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.run()
  }

  /// Waits until a text has come on standard output.
  func waitForOutput(_ text: String) throws { try Self.wait(for: text, in: outputPipe, &output) }

  /// Waits until a text has come on standard error.
  func waitForError(_ text: String) throws { try Self.wait(for: text, in: errorPipe, &errors) }

  private static func wait(for text: String, in pipe: Pipe, _ seen: inout String) throws {
    while !seen.contains(text) {
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
