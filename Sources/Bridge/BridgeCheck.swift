internal import JSON
internal import Linux

/// A check of connections: it connects to each peer once, and reports the result.
///
/// It may run beside a bridge that is attached.
final class BridgeCheck {
  /// Called with each finding, and at the end with `nil`.
  var found: (CheckFinding?) -> Void = { _ in }
  /// Called where the daemon cannot be asked.
  var failed: (String) -> Void = { _ in }

  private let loop: EventLoop
  private let poller: Poller
  private let attachment: PollerAttachment
  private var session: DaemonSession?
  private var checks: [any ConnectionCheck] = []
  private var waiting = 0

  private init(loop: EventLoop) throws(Errno) {
    self.loop = loop
    poller = try Poller()
    attachment = try poller.attach(to: loop)
  }

  /// Checks the connections of the daemon.
  convenience init(_ settings: BridgeSettings, loop: EventLoop, log: Log) throws(Errno) {
    try self.init(loop: loop)
    let socket = try UnixSocket.connect(path: settings.socket, blocking: false)
    let session = DaemonSession(try StreamConnection(socket, loop: loop, poller: poller), log: log)
    session.closed = { [unowned self] in failed("the daemon has ended the connection") }
    session.refused = { [unowned self] refusal in
      failed("the daemon refuses the bridge: \(refusal.message) (\(refusal.code))")
    }
    session.attached = { [unowned self] declarations in check(declarations.connections ?? []) }
    session.attach(["http", "mqtt", "nats"], window: nil)
    self.session = session
  }

  /// Checks connections as the daemon would declare them.
  ///
  /// - Parameter lines: A JSON object in each line.
  convenience init(lines: [UInt8], loop: EventLoop) throws(Errno) {
    try self.init(loop: loop)
    var connections: [ConnectionDeclaration] = []
    for (number, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard case .object(let object)? = try? JSONParser.value(onThisThread: Array(line).span).plain,
        let connection = ConnectionDeclaration(object)
      else {
        loop.post { [weak self] in self?.failed("line \(number + 1) of standard input is no connection") }
        return
      }
      connections.append(connection)
    }
    loop.post { [weak self, connections] in self?.check(connections) }
  }

  private func check(_ connections: [ConnectionDeclaration]) {
    waiting = connections.count
    if connections.isEmpty { return found(nil) }
    checks = connections.map { connection in
      switch connection.kind {
      case "mqtt": MQTTCheck(connection)
      case "nats": NATSCheck(connection)
      default: HTTPCheck(connection)
      }
    }
    for check in checks {
      check.run(loop: loop, poller: poller) { [unowned self] finding in
        found(finding)
        waiting -= 1
        if waiting == 0 { found(nil) }
      }
    }
  }
}
