import GraphModel
import Linux
import WireProtocol

/// Accepts clients within the limits.
final class Listener: PollTarget {
  /// The most clients to accept in an iteration.
  private static let batch = 256
  private static let noDescriptors = "out of file descriptors for connections (LimitNOFILE=)"

  private let socket: UnixListener
  private let connections: Connections
  private var key: Poller.Key?
  /// Released for a moment when descriptors run out, so that a client gets an error instead of waiting.
  private var reserve: OwnedDescriptor?
  private let descriptors: DescriptorReserve
  private var refusals = Repetition()

  init(_ socket: consuming UnixListener, connections: Connections) throws(Errno) {
    self.socket = socket
    self.connections = connections
    descriptors = DescriptorReserve()
    reserve = try? self.socket.descriptor.duplicate()
    key = try connections.poller.add(self.socket.descriptor.number, self, for: .readable)
  }

  var path: String? { socket.path }
  /// Its descriptor, which it still owns, and true if this daemon has created the socket's file.
  var number: Int32 { socket.descriptor.number }
  var ownsFile: Bool { socket.ownsFile }

  /// Warns if more clients are allowed than there are file descriptors for.
  func warnOfLimits() {
    let allowed = connections.ledger.limits.connections
    guard let room = descriptors.room(beside: connections.count), room < allowed else { return }
    connections.log.warning(
      "limits.connections allows \(allowed) clients, but there are file descriptors for \(room) only: "
        + "raise LimitNOFILE=, now \(descriptors.limit), by \(allowed - room) or more")
  }

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

  /// Stops accepting clients, and removes the socket's file if it was created here.
  ///
  /// - Parameter keepsFile: True if another daemon uses the file.
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
    if !descriptors.admits(client.number) { return refuse(client, credentials, Self.noDescriptors) }
    if !account.admitsConnection {
      return refuse(
        client, credentials,
        "more than \(ledger.limits.user.connections) connections of one user (limits.user.connections)")
    }
    let session = Session(credentials, account: account, limits: ledger.limits, hub: connections.dispatcher.hub)
    try connections.open(client, session: session, account: account)
  }

  /// Sends a client the reason that it is refused, and closes.
  private func refuse(_ client: consuming OwnedDescriptor, _ credentials: PeerCredentials?, _ reason: String) {
    connections.noteTurnedAway()
    if let others = refusals.ending(at: connections.clock.now) {
      connections.log.notice(
        "rejected a connection: \(reason)" + others,
        ("uid", credentials.map { "\($0.userID)" } ?? "unknown"),
        ("pid", credentials.map { "\($0.processID)" } ?? "unknown"), ("message_id", AuditLog.messageID))
    }
    var line: [UInt8] = []
    Refusal(WireError(.tooMany, reason)).append(to: &line)
    _ = try? line.withUnsafeBytes { bytes throws(Errno) in try client.transfer.send(bytes) }
    // Unread input would turn the close into a reset.
    _ = try? client.transfer.read(into: connections.readBuffer)
  }

  private func refuseForWantOfDescriptors(_ error: Errno) {
    guard error.isOutOfDescriptors else { return connections.log.warning("cannot accept a connection: \(error)") }
    reserve = nil
    if let client = try? socket.accept() { refuse(client, nil, Self.noDescriptors) }
    reserve = try? socket.descriptor.duplicate()
  }
}
