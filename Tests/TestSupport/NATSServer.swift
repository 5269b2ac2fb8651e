import Foundation
import Glibc

/// A nats-server with JetStream in a folder of its own.
package final class NATSServer {
  private static let program = "/usr/sbin/nats-server"
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  package struct Failed: Error {}

  private let folder = TemporaryFolder()
  private var process: Process
  package let port: UInt16

  package init() throws { (process, port) = try Self.start(in: folder, on: -1) }

  private static func start(in folder: TemporaryFolder, on port: Int) throws -> (Process, UInt16) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-js", "-sd", folder("store"), "-a", "127.0.0.1", "-p", "\(port)", "--ports_file_dir", folder.path,
    ]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    // It says so once it has opened its port, and has written the file with the number.
    var text = ""
    while !text.contains("Server is ready") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw Failed() }
      text += String(decoding: more, as: UTF8.self)
    }
    output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    guard let port = text.firstMatch(of: /client connections on 127\.0\.0\.1:(\d+)/).flatMap({ UInt16($0.1) }) else {
      throw Failed()
    }
    return (process, port)
  }

  /// The names of its streams, from their folders.
  package var streams: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder("store/jetstream/$G/streams"))) ?? []
  }

  /// Kills it.
  package func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts it again where it was.
  package func restart() throws { (process, _) = try Self.start(in: folder, on: Int(port)) }

  /// Removes a stream, or all of them, while it is not running.
  package func remove(stream: String? = nil) throws {
    let store = "store/jetstream/$G/streams"
    try FileManager.default.removeItem(atPath: folder(stream.map { "\(store)/\($0)" } ?? store))
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
