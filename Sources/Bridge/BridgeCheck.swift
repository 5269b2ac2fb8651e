package import Linux

/// A check of everything that the daemon declares: it attaches, connects to each peer, and reports the result.
///
/// It takes no task: what the daemon gives meanwhile goes to the bridge that attaches next.
package final class BridgeCheck {
  /// Called with each finding, and at the end with `nil`.
  package var found: (CheckFinding?) -> Void = { _ in }
  /// Called where the daemon cannot be asked.
  package var failed: (String) -> Void = { _ in }

  private let loop: EventLoop
  private let poller: Poller
  private let attachment: PollerAttachment
  private let session: DaemonSession
  private var checks: [any ConnectionCheck] = []
  private var waiting = 0

  package init(_ settings: BridgeSettings, loop: EventLoop, log: Log) throws(Errno) {
    self.loop = loop
    poller = try Poller()
    attachment = try poller.attach(to: loop)
    let socket = try UnixSocket.connect(path: settings.socket, blocking: false)
    session = DaemonSession(try DaemonLink(socket, loop: loop, poller: poller), log: log)
    session.closed = { [unowned self] in failed("the daemon has ended the connection") }
    session.refused = { [unowned self] refusal in
      failed("the daemon refuses the bridge: \(refusal.message) (\(refusal.code))")
    }
    session.attached = { [unowned self] declarations in check(declarations.connections ?? []) }
    session.attach(["http", "mqtt", "nats"], window: 1)
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
