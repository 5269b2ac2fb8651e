import Linux
import Persistence
import Signals
import WireProtocol

/// The connection of one client: reads its lines and writes the contents of its send buffer.
///
/// It reads and writes once per iteration, unless the send buffer fills up in between. It does not interpret the lines.
final class Connection: PollTarget, SendBufferOwner, Sender {
  private enum Phase: UInt8 {
    case open
    /// The client has shut down its writing side: the remaining input is handled and answered, then the connection
    /// closes.
    case inputEnded
    /// Nothing is read any more; committed output is written, then the connection closes.
    case closing
    case closed
  }

  /// The lines of the input that have not been handled yet.
  private enum Backlog {
    case none
    /// Lines are being split from the input and handled.
    case splitting
    /// They wait until the client has read more, or until other clients have been served.
    case paused
    /// They wait until their sender may proceed.
    case held
  }

  /// The charge to a user for a client that has disconnected, in addition to its remaining input.
  private static let remains = 2048

  /// The number of the client, starting at 1.
  let identifier: Int
  let session: Session
  private let sendBuffer: SendBuffer
  private let connections: Connections
  private let dispatcher: Dispatcher
  private let account: Account
  private var input: LineSplitter
  private var backlog = Backlog.none
  /// True while it is queued to be served again in this iteration or the next one.
  private var isQueued = false
  private var socket: ClientSocket
  private var phase = Phase.open
  /// True once the client has closed both directions, and only its earlier input remains to be handled.
  private var hasDisconnected = false
  /// The charge to its user for the input.
  private var inputCharge: Charge
  private var share = IterationShare()
  /// The start of a wait that has a deadline, and its length if it is not that of an unfinished line.
  private var waiting: (since: MonotonicInstant, patience: Duration?)?

  convenience init(
    _ socket: consuming OwnedDescriptor, session: Session, account: Account, connections: Connections
  ) {
    self.init(socket, connections.nextIdentifier(), session, account, connections)
  }

  /// - Parameter socket: `nil` for a client that has disconnected and whose input is still to be handled.
  private init(
    _ socket: consuming OwnedDescriptor?, _ identifier: Int, _ session: Session, _ account: Account,
    _ connections: Connections
  ) {
    self.identifier = identifier
    self.socket = ClientSocket(socket)
    self.session = session
    sendBuffer = session.sendBuffer
    self.account = account
    inputCharge = Charge(to: account)
    self.connections = connections
    dispatcher = connections.dispatcher
    input = LineSplitter(limit: connections.limits.line)
    sendBuffer.attach(to: self)
    session.sender = self
    session.entrySender = EntrySender(userID: account.userID, connection: .socket(identifier))
  }

  /// Starts polling the client's socket.
  func open() throws(Errno) {
    try socket.startPolling(connections.poller, for: self)
    account.opened()
    report(.connected)
  }

  /// The time at which the connection is closed unless something changes: for an unfinished line, output that the
  /// client does not read at the end, or the remaining input of a disconnected client.
  var deadline: MonotonicInstant? { waiting.map { $0.since + ($0.patience ?? connections.limits.unfinished) } }

  /// Applies the limits of a reload; the limit on lines is looked up before each batch.
  func apply(_ limits: ConnectionLimits) {
    sendBuffer.apply(budget: limits.output)
    session.apply(limits.client)
    settle()
  }

  func ready(_ readiness: Readiness) {
    if readiness.contains(.hungUp) || readiness.contains(.failed) { disconnect() }
    if mayRead && (hasDisconnected || readiness.contains(.readable)) { readOrQueue() }
    if readiness.contains(.writable) { connections.iteration.schedule(self) }
    settle()
  }

  func flush() {
    guard phase != .closed else { return }
    sendBuffer.flush()
    settle()
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? { socket.write(bytes) }

  /// Handles lines that had to wait until the client had read more.
  func resume() {
    isQueued = false
    if mayRead {
      read()
      return settle()
    }
    guard backlog == .paused, !sendBuffer.isFull else { return }
    switch phase {
    case .open: cut { $0.resume(carryOut) }
    case .inputEnded: finishInput()
    case .closing, .closed: return
    }
    settle()
  }

  func proceed() {
    if backlog == .held { backlog = .paused }
    settle()
  }

  func disconnectSlow(exceeding limit: MemoryLimit) {
    reportDisconnection(.notice, "disconnected a slow client", limit)
    session.end()
    sendBuffer.dropQueue()
    sendBuffer.append { appendSlowClientLine(to: &$0) }
    finish(within: connections.limits.unfinished)
  }

  /// Logs a disconnection by the daemon with the limit that was exceeded, the bytes held, and the client.
  func reportDisconnection(_ level: LogLevel, _ message: String, _ limit: MemoryLimit) {
    let client = session.identity.credentials
    connections.log.write(
      level, message,
      [
        ("limit", limit.rawValue), ("bytes", "\(heldBytes)"), ("uid", "\(client.userID)"),
        ("pid", "\(client.processID)"),
      ])
  }

  /// Stops reading, writes the pending output, and closes.
  func finish(within patience: Duration) {
    guard phase != .closed else { return }
    phase = .closing
    wait(for: patience)
    settle()
  }

  /// Closes the connection after its deadline, unless the daemon itself caused the delay.
  func passDeadline() {
    if phase == .open && !mayRead && !hasDisconnected { return wait() }
    // Its lines wait for its share of the loop only.
    if hasDisconnected && phase != .closing && (session.isSending || isQueued) { return wait() }
    connections.closeLater(self)
  }

  /// Closes the connection at once.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    if hasDisconnected && backlog != .none { connections.logDropped(user: account.userID) }
    disconnect()
    inputCharge.update(to: 0)
    session.release()
    socket.close(connections.poller)
    connections.remove(self)
  }

  /// Handles the disconnection of the client and releases its resources.
  ///
  /// Lines that it has sent are still handled if they concern other clients; they may wait like any line.
  private func disconnect() {
    if hasDisconnected { return }
    hasDisconnected = true
    session.end()
    sendBuffer.close()
    account.left()
    connections.didDisconnect()
    report(.gone)
    wait()
  }

  private func wait(for patience: Duration? = nil) {
    waiting = (connections.clock.now, patience)
    connections.watch(deadline)
  }

  func didFallBehind() { report(.lagging) }

  private func report(_ event: ClientEvent) {
    connections.clientReports.note(event, client: identifier, user: account.userID)
  }

  var heldBytes: Int { sendBuffer.chargedBytes + session.heldBytes + inputCharge.bytes }
}

extension Connection {
  private var mayRead: Bool { phase == .open && backlog == .none && !sendBuffer.isFull }

  /// Reads now, or behind the connections that need less time.
  private func readOrQueue() {
    if !share.isTimeUp { return read() }
    queue()
  }

  /// Queues it to be served behind the others.
  private func queue() {
    if isQueued { return }
    isQueued = true
    connections.resume(self)
  }

  private func read() {
    do throws(Errno) {
      switch try socket.transfer.read(into: connections.readBuffer) {
      case .bytes(let count): splitLines(ofBytes: count)
      case .end: noteEndOfInput()
      case .wouldBlock: break
      }
    } catch {
      sendBuffer.close()
      noteEndOfInput()
    }
  }

  private func splitLines(ofBytes count: Int) {
    let bytes = portion(count)
    let now = UInt64(connections.clock.now.nanoseconds)
    cut { $0.append(bytes.span, now: now, carryOut) }
    if phase != .open || hasDisconnected { return }
    waiting = input.unfinishedSince.map { (MonotonicInstant(nanoseconds: Int64($0)), nil) }
    connections.watch(deadline)
  }

  /// Returns the bytes that have just been read.
  private func portion(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(rebasing: connections.readBuffer[..<count]).assumingMemoryBound(to: UInt8.self)
  }

  /// Reads everything that a client had sent when it disconnected, so that its descriptor is not held while that waits.
  private func takeInRest() {
    while phase == .open, case .bytes(let count)? = try? socket.transfer.read(into: connections.readBuffer) {
      _ = input.append(portion(count).span, now: 0) { _ in .hold }
    }
    if phase == .open { phase = .inputEnded }
    socket.close(connections.poller)
    chargeInput()
    if account.isExhausted { connections.closeLater(self) }
  }

  /// Splits lines, and notes whether some are left.
  private func cut(_ body: (inout LineSplitter) -> LineSplitter.Flow) {
    input.limit = connections.lineLimit(for: session)
    sendBuffer.answeredBytes = 0
    share.begin()
    backlog = .splitting
    backlog =
      switch body(&input) {
      case .next: .none
      case .pause: .paused
      case .hold: .held
      }
    chargeInput()
  }

  private func chargeInput() { inputCharge.update(to: input.count + (hasDisconnected ? Self.remains : 0)) }

  private func carryOut(_ line: borrowing Span<UInt8>?) -> LineSplitter.Flow {
    if case .hold = dispatcher.carryOut(copy line, for: session) { return .hold }
    connections.iteration.flushIfLarge()
    share.add((copy line)?.count ?? 0, isRelayed: dispatcher.hasRelayed)
    let hasEnough = share.isUsedUp(answered: sendBuffer.answeredBytes) || sendBuffer.isFull
    return hasEnough || phase == .closing ? .pause : .next
  }

  private func noteEndOfInput() {
    if phase == .open { phase = .inputEnded }
    if !hasDisconnected { waiting = nil }
    finishInput()
  }

  /// Handles the rest of the input, and then a last line without an end.
  private func finishInput() {
    cut { input in
      let flow = input.resume(carryOut)
      return flow == .next ? input.finish(carryOut) : flow
    }
  }

  /// Updates the poller, and closes the connection when nothing is left to do.
  private func settle() {
    if phase == .closed || backlog == .splitting { return }
    if hasDisconnected && backlog == .held && socket.isPolled { takeInRest() }
    // A closing connection handles no more lines; if it were queued to resume, it would outlive the loop.
    if backlog == .paused && !sendBuffer.isFull && phase != .closing { queue() }
    switch phase {
    case .inputEnded where backlog == .none && sendBuffer.isEmpty && (!session.isAwaitingEvents || sendBuffer.isClosed):
      connections.closeLater(self)
    case .closing where sendBuffer.isEmpty: connections.closeLater(self)
    default: updateInterest()
    }
  }

  private func updateInterest() {
    var wanted = Readiness()
    if mayRead { wanted.insert(.readable) }
    if sendBuffer.wantsToWrite { wanted.insert(.writable) }
    do throws(Errno) { try socket.poll(connections.poller, for: wanted) } catch { connections.closeLater(self) }
  }
}

// MARK: - Handover

extension Connection {
  /// True while its client is connected.
  var isThere: Bool { !hasDisconnected }

  /// Its socket, which it still owns; `nil` after its client has disconnected.
  var descriptor: Int32? { socket.descriptor }

  /// Encodes the client's requests and pending output, between two iterations.
  func encode(to writer: inout StateEncoder, _ sharing: inout SharedParts) {
    identifier.encode(to: &writer)
    session.identity.credentials.encode(to: &writer)
    writer.byte(phase.rawValue)
    hasDisconnected.encode(to: &writer)
    (backlog != .none).encode(to: &writer)
    let remainder = input.remainder
    writer.blob(remainder.bytes)
    remainder.isSkipping.encode(to: &writer)
    remainder.unfinishedSince.encode(to: &writer)
    (waiting?.since.nanoseconds).encode(to: &writer)
    (waiting?.patience).encode(to: &writer)
    session.encode(to: &writer)
    session.sendBuffer.encode(to: &writer, of: session.listed, &sharing)
  }

  /// Restores a client of the process that has handed over; its pending output follows with `resumeOutput`.
  ///
  /// - Parameter socket: `nil` if the client has disconnected.
  convenience init(
    from reader: inout StateDecoder, socket: consuming OwnedDescriptor?, _ connections: Connections
  ) throws(StateError) {
    let identifier = try Int(from: &reader)
    let credentials = try PeerCredentials(from: &reader)
    let ledger = connections.ledger
    let account = ledger.account(ofUser: credentials.userID)
    let session = Session(credentials, account: account, limits: ledger.limits, hub: connections.dispatcher.hub)
    self.init(socket, identifier, session, account, connections)
    guard let phase = Phase(rawValue: try reader.byte()), phase != .closed else {
      throw StateError("unknown phase of a connection")
    }
    self.phase = phase
    hasDisconnected = try Bool(from: &reader)
    backlog = try Bool(from: &reader) ? .paused : .none
    input = LineSplitter(
      limit: connections.limits.line,
      LineSplitter.Remainder(
        bytes: Array(try reader.blob()), isSkipping: try Bool(from: &reader),
        unfinishedSince: try UInt64?(from: &reader)))
    let since = try Int64?(from: &reader)
    let patience = try Duration?(from: &reader)
    waiting = since.map { (MonotonicInstant(nanoseconds: $0), patience) }
    // This marks the account as used; otherwise another client of its user would get a second one.
    if hasDisconnected { account.joined() } else { account.opened() }
    try session.restore(from: &reader)
    if hasDisconnected { session.end() }
  }

  /// Restores the pending output, once the subscriptions are restored.
  func resumeOutput(from reader: inout StateDecoder, _ sharing: inout SharedParts) throws(StateError) {
    let hub = connections.dispatcher.hub
    try session.sendBuffer.restore(from: &reader, of: session.listed, &sharing) { hub.stray($0, $1) }
  }

  /// Starts polling the client's socket again.
  func resumePolling() throws(Errno) {
    // A disconnected client may have sent more than was read.
    try socket.startPolling(connections.poller, for: self)
    chargeInput()
    connections.watch(deadline)
    settle()
  }
}
