internal import Linux

/// A try of a connection, which changes nothing at the peer.
protocol ConnectionCheck: AnyObject {
  var connection: ConnectionDeclaration { get }

  /// Calls once with what was found.
  func run(loop: EventLoop, poller: Poller, found: @escaping (CheckFinding) -> Void)
}

extension ConnectionCheck {
  func finding(_ text: String, isGood: Bool) -> CheckFinding {
    CheckFinding(connection: connection.name, kind: connection.kind, text: text, isGood: isGood)
  }
}
