import Linux
import SignalGraph
import WireProtocol

/// Accepts clients, as many as the limits allow.
final class Listener: PollTarget {
  /// How many clients are let in within a turn.
  private static let batch = 256

  private let socket: UnixListener
  private let connections: Connections
  private var key: Poller.Key?
  /// Given up for a moment when descriptors run out, so that a client can be told instead of being left to wait.
  private var reserve: OwnedDescriptor?
  private var refusals = Repetition()

  init(_ socket: consuming UnixListener, connections: Connections) throws(Errno) {
    self.socket = socket
    self.connections = connections
    reserve = try? self.socket.descriptor.duplicate()
    key = try connections.poller.add(self.socket.descriptor.number, self, for: .readable)
  }

  var path: String? { socket.path }
  /// Its descriptor, which stays its own, and whether its file was made by this daemon.
  var number: Int32 { socket.descriptor.number }
  var ownsFile: Bool { socket.ownsFile }

  func ready(_ readiness: Readiness) {
    do throws(Errno) {
      for _ in 0..<Self.batch {
        guard let client = try socket.accept() else { return }
        try admit(client)
      }
    } catch {
      refuseForWantOfDescriptors(error)
    }
  }

  /// Accepts nobody any more, and removes the socket's file if it was made here.
  ///
  /// - Parameter keepsFile: Whether another daemon uses it.
  func close(keepsFile: Bool = false) {
    if let key { try? connections.poller.remove(key, socket.descriptor.number) }
    key = nil
    if !keepsFile { socket.unlink() }
  }

  private func admit(_ client: consuming OwnedDescriptor) throws(Errno) {
    let credentials = try PeerCredentials(of: client.number)
    let ledger = connections.ledger
    let account = ledger.account(ofUser: credentials.userID)
    if connections.count >= ledger.limits.connections {
      return refuse(client, credentials, "more than \(ledger.limits.connections) connections (limits.connections)")
    }
    if !account.admitsConnection {
      return refuse(
        client, credentials,
        "more than \(ledger.limits.user.connections) connections of one user (limits.user.connections)")
    }
    let session = Session(credentials, account: account, limits: ledger.limits, hub: connections.dispatcher.hub)
    try connections.open(client, session: session, account: account)
  }

  /// Says why a client is not let in, and closes.
  private func refuse(_ client: consuming OwnedDescriptor, _ credentials: PeerCredentials?, _ reason: String) {
    connections.noteTurnedAway()
    if let unsaid = refusals.next(at: connections.clock.now) {
      connections.log.notice(
        "a client is turned away: \(reason)" + (unsaid == 0 ? "" : "; so were \(unsaid) before"),
        ("uid", credentials.map { "\($0.userID)" } ?? "unknown"),
        ("pid", credentials.map { "\($0.processID)" } ?? "unknown"), ("message_id", AuditLog.messageID))
    }
    var line: [UInt8] = []
    Refusal(WireError(.tooMany, reason)).append(to: &line)
    _ = try? line.withUnsafeBytes { bytes throws(Errno) in try client.transfer.send(bytes) }
    // Input that nobody has read would make the close a reset.
    _ = try? client.transfer.read(into: connections.readBuffer)
  }

  private func refuseForWantOfDescriptors(_ error: Errno) {
    guard error.isOutOfDescriptors else { return connections.log.warning("accepting a client failed: \(error)") }
    reserve = nil
    if let client = try? socket.accept() { refuse(client, nil, "no descriptor is left for another connection") }
    reserve = try? socket.descriptor.duplicate()
  }
}
