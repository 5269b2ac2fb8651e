import Foundation
import TestSupport

/// A nats-server with JetStream in a folder of its own.
final class NATSServer {
  static let program = "/usr/sbin/nats-server"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  struct Failed: Error {}

  private let folder = TemporaryFolder()
  private let process = Process()
  let port: UInt16

  init() throws {
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [
      "-js", "-sd", folder("store"), "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", folder.path,
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
    self.port = port
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
