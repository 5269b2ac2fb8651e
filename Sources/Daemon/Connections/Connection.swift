import Linux
import Persistence
import ReactiveCore
import SignalGraph
import WireProtocol

/// The bytes of one client: lines in, and out what its outbox holds.
///
/// It reads once a turn and writes once, unless its outbox fills up within the turn. It knows nothing of what the lines
/// mean.
final class Connection: PollTarget, OutboxOwner, Sender {
  private enum Phase: UInt8 {
    case open
    /// The client has shut down its writing side: what remains is carried out and sent, then the connection ends.
    case inputEnded
    /// Nothing is read any more; what is committed is written, then the connection ends.
    case closing
    case closed
  }

  /// How many bytes of answers are made for a client before others are served again: a line of a few bytes may ask for
  /// as much as there are signals, and as fast as it is read, or even if nobody reads it any more.
  private static let answersPerTurn = Turn.comfortableSize
  /// How many bytes of lines are carried out for a client before others are served again; what is read in a turn is
  /// less.
  private static let linesPerTurn = 1 << 17
  /// The charge to a user for a client that has gone, besides what it has left.
  private static let remains = 2048

  /// Counts clients from 1.
  let identifier: Int
  let session: Session
  private let outbox: Outbox
  private let connections: Connections
  private let dispatcher: Dispatcher
  private let account: Account
  private var input: LineSplitter
  /// While lines are cut from the input, nobody else may look at it.
  private var isCutting = false
  /// Lines have come that wait until the client has read more, or until others have.
  private var hasRest = false
  private var isHeldBack = false
  private var willResume = false
  private var socket: OwnedDescriptor?
  private let number: Int32
  private var key: Poller.Key?
  private var interest: Readiness = .readable
  private var phase = Phase.open
  /// The client has closed both directions, and only what it sent before remains to be done.
  private var hasLeft = false
  /// The charge to its user for the input.
  private var inputCharge: Charge
  /// Bytes of lines that have been carried out since others were served.
  private var carriedOut = 0
  /// Since when there is something that has to be over in time, and the time if it is another than that of a line.
  private var waiting: (since: MonotonicInstant, patience: Duration?)?

  convenience init(
    _ socket: consuming OwnedDescriptor, session: Session, account: Account, connections: Connections
  ) {
    self.init(socket, connections.nextIdentifier(), session, account, connections)
  }

  /// - Parameter socket: `nil` for a client that has gone and has left lines that are still to be carried out.
  private init(
    _ socket: consuming OwnedDescriptor?, _ identifier: Int, _ session: Session, _ account: Account,
    _ connections: Connections
  ) {
    self.identifier = identifier
    number = socket?.number ?? -1
    self.socket = consume socket
    self.session = session
    outbox = session.outbox
    self.account = account
    inputCharge = Charge(to: account)
    self.connections = connections
    dispatcher = connections.dispatcher
    input = LineSplitter(limit: connections.limits.line)
    outbox.attach(to: self)
    session.sender = self
    session.entrySender = EntrySender(userID: account.userID, connection: .socket(identifier))
  }

  /// Begins to listen to the client.
  func open() throws(Errno) {
    key = try connections.poller.add(number, self, for: interest)
    account.opened()
    tell(.connected)
  }

  /// When the connection is given up, if nothing changes: an unfinished line, an end that the client does not read, or
  /// what a client that has gone has left.
  var deadline: MonotonicInstant? { waiting.map { $0.since + ($0.patience ?? connections.limits.unfinished) } }

  /// Takes over limits that a reload has changed; the length of lines is looked up before each portion.
  func apply(_ limits: ConnectionLimits) {
    outbox.apply(budget: limits.output)
    session.apply(limits.client)
    settle()
  }

  func ready(_ readiness: Readiness) {
    if readiness.contains(.hungUp) || readiness.contains(.failed) { leave() }
    if mayRead && (hasLeft || readiness.contains(.readable)) { read() }
    if readiness.contains(.writable) { connections.turn.schedule(self) }
    settle()
  }

  func flush() {
    guard phase != .closed else { return }
    outbox.flush()
    settle()
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    do throws(Errno) {
      return if case .bytes(let count) = try Transfer(number).send(bytes) { count } else { 0 }
    } catch {
      return nil
    }
  }

  /// Carries out lines that had to wait until the client had read more.
  func resume() {
    willResume = false
    guard hasRest, !isHeldBack, !outbox.isFull else { return }
    switch phase {
    case .open: cut { $0.resume(carryOut) }
    case .inputEnded: finishInput()
    case .closing, .closed: return
    }
    settle()
  }

  func goOn() {
    isHeldBack = false
    settle()
  }

  func disconnectSlow() {
    connections.log.notice("a client is too slow and is disconnected", ("uid", "\(account.userID)"))
    session.end()
    outbox.dropQueue()
    outbox.append { appendSlowClientLine(to: &$0) }
    finish(within: connections.limits.unfinished)
  }

  /// Reads nothing more, writes what there is, and closes.
  func finish(within patience: Duration) {
    guard phase != .closed else { return }
    phase = .closing
    wait(for: patience)
    settle()
  }

  /// Ends it after its deadline, unless it was not the client that let it pass.
  func deadlineHasPassed() {
    if phase == .open && !mayRead && !hasLeft { return wait() }
    connections.closeLater(self)
  }

  /// Ends it now.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    if hasLeft && hasRest { connections.sayDropped(user: account.userID) }
    leave()
    inputCharge.update(to: 0)
    session.letGo()
    closeSocket()
    connections.forget(self)
  }

  /// The client has gone, and all that was its own with it.
  ///
  /// Lines that it had sent are still carried out, where they mean something to others; they may wait like any line.
  private func leave() {
    if hasLeft { return }
    hasLeft = true
    session.end()
    outbox.close()
    account.left()
    connections.hasLeft()
    tell(.gone)
    wait()
  }

  private func closeSocket() {
    if let key { try? connections.poller.remove(key, number) }
    key = nil
    socket = nil
  }

  private func wait(for patience: Duration? = nil) {
    waiting = (connections.clock.now, patience)
    connections.watch(deadline)
  }

  func hasFallenBehind() { tell(.lagging) }

  private func tell(_ happening: ClientHappening) {
    connections.happenings.note(happening, client: identifier, user: account.userID)
  }

  var heldBytes: Int { outbox.chargedBytes + session.heldBytes + inputCharge.bytes }
}

extension Connection {
  private var mayRead: Bool { phase == .open && !hasRest && !outbox.isFull }

  private func read() {
    let transfer = Transfer(number)
    do throws(Errno) {
      switch try transfer.read(into: connections.readBuffer) {
      case .bytes(let count): feed(count)
      case .end: inputHasEnded()
      case .wouldBlock: break
      }
    } catch {
      outbox.close()
      inputHasEnded()
    }
  }

  private func feed(_ count: Int) {
    let bytes = portion(count)
    let now = UInt64(connections.clock.now.nanoseconds)
    cut { $0.append(bytes.span, now: now, carryOut) }
    if phase != .open || hasLeft { return }
    waiting = input.unfinishedSince.map { (MonotonicInstant(nanoseconds: Int64($0)), nil) }
    connections.watch(deadline)
  }

  /// The bytes that have just been read.
  private func portion(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(rebasing: connections.readBuffer[..<count]).assumingMemoryBound(to: UInt8.self)
  }

  /// Takes in all that a client had sent when it left, so that no descriptor is kept while that waits.
  private func takeInRest() {
    while phase == .open, case .bytes(let count)? = try? Transfer(number).read(into: connections.readBuffer) {
      _ = input.append(portion(count).span, now: 0) { _ in .hold }
    }
    if phase == .open { phase = .inputEnded }
    closeSocket()
    chargeInput()
    if account.isExhausted { connections.closeLater(self) }
  }

  /// Cuts lines, and notes whether some are left.
  private func cut(_ body: (inout LineSplitter) -> LineSplitter.Flow) {
    input.limit = connections.limits.line
    outbox.answeredBytes = 0
    carriedOut = 0
    isCutting = true
    let flow = body(&input)
    hasRest = flow != .next
    isHeldBack = flow == .hold
    isCutting = false
    chargeInput()
  }

  private func chargeInput() { inputCharge.update(to: input.count + (hasLeft ? Self.remains : 0)) }

  private func carryOut(_ line: borrowing Span<UInt8>?) -> LineSplitter.Flow {
    if case .hold = dispatcher.carryOut(copy line, for: session) { return .hold }
    connections.turn.flushIfLarge()
    carriedOut += (copy line)?.count ?? 0
    let hasEnough =
      outbox.isFull || outbox.answeredBytes >= Self.answersPerTurn || carriedOut >= Self.linesPerTurn
    return hasEnough || phase == .closing ? .pause : .next
  }

  private func inputHasEnded() {
    if phase == .open { phase = .inputEnded }
    if !hasLeft { waiting = nil }
    finishInput()
  }

  /// Carries out what is left of the input, and then a last line without an end.
  private func finishInput() {
    cut { input in
      let flow = input.resume(carryOut)
      return flow == .next ? input.finish(carryOut) : flow
    }
  }

  /// Brings the poller up to date, and ends the connection when nothing is left to come.
  private func settle() {
    if phase == .closed || isCutting { return }
    if hasLeft && isHeldBack && key != nil { takeInRest() }
    // One that is closing carries out nothing more; in the line of those that go on it would outlast the loop.
    if hasRest && !isHeldBack && !willResume && !outbox.isFull && phase != .closing {
      willResume = true
      connections.resume(self)
    }
    switch phase {
    case .inputEnded where !hasRest && outbox.isEmpty && (!session.isAwaitingEvents || outbox.isClosed):
      connections.closeLater(self)
    case .closing where outbox.isEmpty: connections.closeLater(self)
    default: updateInterest()
    }
  }

  private func updateInterest() {
    var wanted = Readiness()
    if mayRead { wanted.insert(.readable) }
    if outbox.wantsToWrite { wanted.insert(.writable) }
    // A peer that has gone is always reported; without an interest, only once.
    if wanted.isEmpty { wanted = .once }
    if wanted == interest { return }
    interest = wanted
    guard let key else { return }
    do throws(Errno) { try connections.poller.change(key, number, for: wanted) } catch { connections.closeLater(self) }
  }
}

// MARK: - Handing over

extension Connection {
  /// Whether its client is there.
  var isThere: Bool { !hasLeft }

  /// Its socket, which stays its own; `nil` where its client has gone.
  var descriptor: Int32? { socket == nil ? nil : number }

  /// Writes down all that its client has said, and all that it is still to be told, between two turns.
  func store(in writer: inout StateWriter, _ sharing: inout SharedParts) {
    identifier.store(in: &writer)
    let credentials = session.identity.credentials
    Int(credentials.processID).store(in: &writer)
    Int(credentials.userID).store(in: &writer)
    Int(credentials.groupID).store(in: &writer)
    credentials.groups.map(Int.init).store(in: &writer)
    writer.byte(phase.rawValue)
    hasLeft.store(in: &writer)
    hasRest.store(in: &writer)
    let remainder = input.remainder
    writer.blob(remainder.bytes)
    remainder.isSkipping.store(in: &writer)
    remainder.unfinishedSince.store(in: &writer)
    (waiting?.since.nanoseconds).store(in: &writer)
    (waiting?.patience).store(in: &writer)
    session.store(in: &writer)
    session.outbox.store(in: &writer, of: session.listed, &sharing)
  }

  /// A client that another process had; what it is still to be told comes with `resumeOutput`.
  ///
  /// - Parameter socket: `nil` where it has gone.
  convenience init(
    from reader: inout StateReader, socket: consuming OwnedDescriptor?, _ connections: Connections
  ) throws(StateError) {
    let identifier = try Int(from: &reader)
    let credentials = PeerCredentials(
      processID: Int32(truncatingIfNeeded: try Int(from: &reader)),
      userID: UInt32(truncatingIfNeeded: try Int(from: &reader)),
      groupID: UInt32(truncatingIfNeeded: try Int(from: &reader)),
      groups: try [Int](from: &reader).map { UInt32(truncatingIfNeeded: $0) })
    let ledger = connections.ledger
    let account = ledger.account(ofUser: credentials.userID)
    let session = Session(credentials, account: account, limits: ledger.limits, hub: connections.dispatcher.hub)
    self.init(socket, identifier, session, account, connections)
    guard let phase = Phase(rawValue: try reader.byte()), phase != .closed else {
      throw StateError("a connection stands in no phase")
    }
    self.phase = phase
    hasLeft = try Bool(from: &reader)
    hasRest = try Bool(from: &reader)
    input = LineSplitter(
      limit: connections.limits.line,
      LineSplitter.Remainder(
        bytes: Array(try reader.blob()), isSkipping: try Bool(from: &reader),
        unfinishedSince: try UInt64?(from: &reader)))
    let since = try Int64?(from: &reader)
    let patience = try Duration?(from: &reader)
    waiting = since.map { (MonotonicInstant(nanoseconds: $0), patience) }
    // From now on the account is in use, or another client of its user would get one of its own.
    if hasLeft { account.joined() } else { account.opened() }
    try session.restore(from: &reader)
    if hasLeft { session.end() }
  }

  /// Goes on with what the client is still to be told, once its subscriptions are where they were.
  func resumeOutput(from reader: inout StateReader, _ sharing: inout SharedParts) throws(StateError) {
    let hub = connections.dispatcher.hub
    try session.outbox.restore(from: &reader, of: session.listed, &sharing) { hub.stray($0, $1) }
  }

  /// Listens to the client again.
  func goOnListening() throws(Errno) {
    // One that has gone may have left more than was read.
    if socket != nil { key = try connections.poller.add(number, self, for: interest) }
    chargeInput()
    connections.watch(deadline)
    settle()
  }
}
