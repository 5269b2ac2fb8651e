import Foundation
import Testing

/// A subscriber at a terminal of its own, which goes on while other commands run.
final class Follower {
  private let process = Process()
  private let output = Pipe()
  private var text = ""

  /// - Parameter command: As one would type it; it is ended after half a minute.
  init(_ command: String, socket: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = ["--quiet", "--command", "timeout 30 \(command)", "/dev/null"]
    let programs = Client.program.deletingLastPathComponent().path
    process.environment = ["PATH": "\(programs):/usr/bin:/bin", "SIGNALBOX_SOCKET": socket]
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The first lines that it prints, once they are there.
  func lines(_ count: Int) throws -> [String] {
    while text.count(where: \.isNewline) < count {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the subscriber has ended, and said: \(text)")
      text += String(decoding: more, as: UTF8.self)
    }
    return text.replacing("\r\n", with: "\n").split(separator: "\n").prefix(count).map(String.init)
  }
}
