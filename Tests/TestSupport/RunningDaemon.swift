import Foundation

/// The daemon as a process, in a folder of its own.
package final class RunningDaemon {
  package let configuration: String
  package let socket: String
  private let folder: URL
  private var process = Process()

  package init(_ text: String) throws {
    BrokenPipes.fail
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = folder.path + "/signalbox.yaml"
    socket = folder.path + "/socket"
    try write(text)
    try start()
  }

  /// Starts it, also after a kill, and waits until it is ready.
  package func start() throws {
    process = Process()
    process.executableURL = BuiltProgram.file(named: "signalboxd")
    process.arguments = ["--config", configuration, "--socket", socket]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var log = Data()
    while !log.contains("ready") {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { throw NotReady(log: String(decoding: log, as: UTF8.self)) }
      log += more
    }
  }

  private struct NotReady: Error {
    let log: String
  }

  package func write(_ text: String) throws { try text.write(toFile: configuration, atomically: true, encoding: .utf8) }

  /// Kills it with SIGKILL.
  package func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package var processIdentifier: Int32 { process.processIdentifier }

  package func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
