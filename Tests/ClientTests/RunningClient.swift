import Foundation

/// The client as a process that goes on while a test looks at what it prints.
final class RunningClient {
  private let process = Process()
  private let (output, errors) = (Pipe(), Pipe())
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
  func waitForOutput(_ text: String) throws { try Self.wait(for: text, in: output, &outputText) }

  /// Waits until a text has come on standard error; what stands before it is passed over.
  func waitForError(_ text: String) throws { try Self.wait(for: text, in: errors, &errorText) }

  private static func wait(for text: String, in pipe: Pipe, _ seen: inout String) throws {
    while true {
      if let range = seen.range(of: text) {
        seen = String(seen[range.upperBound...])
        return
      }
      let more = pipe.fileHandleForReading.availableData
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
