import Foundation
import TestSupport

/// The gateway as a process, on a port of its own and on a Unix socket.
final class RunningGateway {
  /// A token with all permissions, one that may read only the graph `climate`, one that may also see its places and its
  /// past, and one that may only send to one signal.
  static let allToken = "all-rights"
  static let readToken = "climate-only"
  static let statsToken = "climate-and-stats"
  static let sendToken = "send-only"
  static let hookSecret = "It's a Secret to Everybody"

  let socket: String
  private(set) var port: UInt16 = 0
  private let daemon: RunningDaemon
  private let folder = TemporaryFolder()
  private let daemonSocket: String
  private let options: [String]
  private let program: URL
  private var process = Process()

  /// - Parameters:
  ///   - daemonSocket: The socket of another daemon that it connects to.
  ///   - options: additional ones for its command line.
  ///   - program: its file.
  init(
    _ daemon: RunningDaemon, daemonSocket: String? = nil, options: [String] = [],
    program: URL = BuiltProgram.file(named: "signalbox-http")
  ) throws {
    self.daemon = daemon
    self.daemonSocket = daemonSocket ?? daemon.socket
    self.options = options
    self.program = program
    socket = folder.path + "/http.sock"
    try Self.hookSecret.write(toFile: folder.path + "/secret", atomically: true, encoding: .utf8)
    try Tokens.file(secret: folder.path + "/secret").write(
      toFile: tokenFile, atomically: true, encoding: .utf8)
    try start()
  }

  var tokenFile: String { folder.path + "/tokens" }

  /// Starts it, after a stop at its previous port.
  func start() throws {
    process = Process()
    process.executableURL = program
    process.arguments =
      [
        "--listen", "127.0.0.1:\(port)", "--listen", "unix:\(socket)", "--socket", daemonSocket, "--token-file",
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

  /// Terminates it as a service manager does, and returns its status.
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

  /// Makes it reload its tokens.
  func hangUp() throws { Foundation.kill(process.processIdentifier, SIGHUP) }

  /// Polls until a condition holds that is not notified.
  func wait(_ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isSo() {
      if ContinuousClock.now > deadline { throw TestConnection.Failure.noAnswer }
      usleep(1000)
    }
  }

  /// Connects by TCP.
  func connect() throws -> TestConnection { try TestConnection(port: port) }

  /// Sends one request by TCP, with a token.
  func ask(
    _ method: String, _ target: String, token: String? = RunningGateway.allToken, _ headers: [String: String] = [:],
    body: String? = nil
  ) throws -> Answer {
    try connect().ask(method, target, token: token, headers, body: body)
  }
}
