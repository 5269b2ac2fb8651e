import Foundation
import TestSupport

/// The gateway as a process, on a port of its own and on a Unix socket.
final class RunningGateway {
  /// A token with all rights, one that may read the graph `climate` alone, one that sees its places and its past too, and
  /// one that may send to one signal alone.
  static let allToken = "all-rights"
  static let readToken = "climate-only"
  static let statsToken = "climate-and-stats"
  static let sendToken = "send-only"
  static let hookSecret = "It's a Secret to Everybody"

  let socket: String
  private(set) var port: UInt16 = 0
  private let daemon: RunningDaemon
  private let folder = TemporaryFolder()
  private let options: [String]
  private let program: URL
  private var process = Process()

  /// - Parameters:
  ///   - options: further ones for its command line.
  ///   - program: its file.
  init(
    _ daemon: RunningDaemon, options: [String] = [], program: URL = BuiltProgram.file(named: "signalbox-http")
  ) throws {
    self.daemon = daemon
    self.options = options
    self.program = program
    socket = folder.path + "/http.sock"
    try Self.hookSecret.write(toFile: folder.path + "/secret", atomically: true, encoding: .utf8)
    try Tokens.file(secret: folder.path + "/secret").write(
      toFile: tokenFile, atomically: true, encoding: .utf8)
    try start()
  }

  var tokenFile: String { folder.path + "/tokens" }

  /// Starts it, at the port that it had where it has been stopped.
  func start() throws {
    process = Process()
    process.executableURL = program
    process.arguments =
      [
        "--listen", "127.0.0.1:\(port)", "--listen", "unix:\(socket)", "--socket", daemon.socket, "--token-file",
        tokenFile, "--config", daemon.configuration, "--host", "graphs.example",
      ] + options
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var log = ""
    while !log.contains("\"ready\"") {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { throw NotReady(log: log) }
      log += String(decoding: more, as: UTF8.self)
    }
    guard let place = log.firstRange(of: "127.0.0.1:"),
      let port = UInt16(log[place.upperBound...].prefix { $0.isNumber })
    else { throw NotReady(log: log) }
    self.port = port
  }

  private struct NotReady: Error {
    let log: String
  }

  var processIdentifier: Int32 { process.processIdentifier }

  /// Ends it as a service manager does, and returns its status.
  @discardableResult
  func terminate() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Has it read its tokens again.
  func hangUp() throws { Foundation.kill(process.processIdentifier, SIGHUP) }

  /// Asks again and again until something is so, of which nobody tells.
  func wait(_ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isSo() {
      if ContinuousClock.now > deadline { throw TestConnection.Failure.noAnswer }
      usleep(1000)
    }
  }

  /// A connection by TCP.
  func connect() throws -> TestConnection { try TestConnection(port: port) }

  /// Asks once by TCP, with a token.
  func ask(
    _ method: String, _ target: String, token: String? = RunningGateway.allToken, _ headers: [String: String] = [:],
    body: String? = nil
  ) throws -> Answer {
    try connect().ask(method, target, token: token, headers, body: body)
  }
}
