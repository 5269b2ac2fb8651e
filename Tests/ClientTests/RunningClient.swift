import Foundation

/// The client as a process that goes on while a test looks at what it prints.
final class RunningClient {
  private let process = Process()
  private let (output, errors) = (Pipe(), Pipe())
  /// All that has been read from standard output.
  private(set) var read = ""
  private var outputText = ""
  private var errorText = ""

  init(_ arguments: String..., socket: String) throws {
    process.executableURL = Client.program
    process.arguments = arguments
    process.environment = ["SIGNALBOX_SOCKET": socket]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Waits until a text has come on standard output; what stands before it is passed over.
  func waitForOutput(_ text: String) throws {
    try Self.wait(for: text, in: output, &outputText) { read += $0 }
  }

  /// Waits until a text has come on standard error; what stands before it is passed over.
  func waitForError(_ text: String) throws { try Self.wait(for: text, in: errors, &errorText) }

  private static func wait(
    for text: String, in pipe: Pipe, _ seen: inout String, _ note: (String) -> Void = { _ in }
  ) throws {
    while true {
      if let range = seen.range(of: text) {
        seen = String(seen[range.upperBound...])
        return
      }
      var entry = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let more = poll(&entry, 1, 20_000) == 1 ? pipe.fileHandleForReading.availableData : Data()
      if more.isEmpty { throw Ended(before: text, seen: seen) }
      seen += String(decoding: more, as: UTF8.self)
      note(String(decoding: more, as: UTF8.self))
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
