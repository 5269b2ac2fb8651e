import Foundation
import TestSupport

/// The daemon as a process, with a folder for its state.
final class Daemon {
  let socket: String
  private let folder = TemporaryFolder()
  private var process = Process()

  /// - Parameter graphs: The indented YAML below `graphs:`.
  init(_ graphs: String) throws {
    socket = folder("socket")
    let configuration = "signalbox: 1\nserver: {state: \(folder("state"))}\ngraphs:\n\(graphs)\n"
    try configuration.write(toFile: folder("signalbox.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder("state"), withIntermediateDirectories: true)
    try start()
  }

  deinit { kill() }

  /// Starts it, also after a kill, and waits until it is ready.
  func start() throws {
    process = Process()
    process.executableURL = BuiltProgram.file(named: "signalboxd")
    process.arguments = ["--config", folder("signalbox.yaml"), "--socket", socket]
    let log = Pipe()
    process.standardError = log
    try process.run()
    var told = Data()
    while told.range(of: Data("ready".utf8)) == nil {
      let more = log.fileHandleForReading.availableData
      if more.isEmpty { throw POSIXError(.ECHILD) }
      told += more
    }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
