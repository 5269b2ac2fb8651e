import Linux
import WireProtocol

/// The bytes of one client: lines in, and out what its outbox holds.
///
/// It reads once a turn and writes once, unless its outbox fills up within the turn. It knows nothing of what the lines
/// mean.
final class Connection: PollTarget, OutboxOwner {
  private enum Phase {
    case open
    /// The client has shut down its writing side: what remains is carried out and sent, then the connection ends.
    case inputEnded
    /// Nothing is read any more; what is committed is written, then the connection ends.
    case closing
    case closed
  }

  /// How many bytes of answers are made for a client before others are served again: a line of a few bytes may ask for
  /// as much as there are signals, and as fast as it is read, or even if nobody reads it any more.
  private static let answersPerTurn = TurnBuffer.comfortableSize

  /// Counts clients from 1.
  let identifier: Int
  let session: Session
  private let outbox: Outbox
  private let connections: Connections
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
  /// What of the input the account has been charged with.
  private var chargedInput = 0
  /// When the connection is given up, if nothing changes: an unfinished line, or an end that the client does not read.
  private(set) var deadline: MonotonicInstant?

  init(_ socket: consuming OwnedDescriptor, session: Session, account: Account, connections: Connections) {
    identifier = connections.nextIdentifier()
    number = socket.number
    self.socket = consume socket
    self.session = session
    outbox = session.outbox
    self.account = account
    self.connections = connections
    input = LineSplitter(limit: connections.limits.line)
    outbox.attach(to: self)
  }

  /// Begins to listen to the client.
  func open() throws(Errno) {
    key = try connections.poller.add(number, self, for: interest)
    account.opened()
    tell(.connected)
  }

  /// Takes over limits that a reload has changed; the length of lines is looked up before each portion.
  func apply(_ limits: ConnectionLimits) {
    outbox.budget = limits.output
    session.apply(limits.client)
  }

  func ready(_ readiness: Readiness) {
    // After both directions were closed, what the client sent before is still carried out; nobody reads the answers.
    let isGone = readiness.contains(.hungUp) || readiness.contains(.failed)
    if isGone { outbox.close() }
    if mayRead && (isGone || readiness.contains(.readable)) { read() }
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
    case .inputEnded: cut { $0.finish(carryOut) }
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
    deadline = connections.now + patience
    connections.watch(deadline)
    settle()
  }

  /// Ends it after its deadline, unless it was not the client that let it pass.
  func deadlineHasPassed() {
    if phase == .open && !mayRead {
      deadline = connections.now + connections.limits.unfinished
      connections.watch(deadline)
    } else {
      connections.closeLater(self)
    }
  }

  /// Ends it now.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    session.end()
    outbox.close()
    outbox.detach()
    account.charge(-chargedInput)
    account.closed()
    if let key { try? connections.poller.remove(key, number) }
    socket = nil
    connections.forget(self)
    tell(.gone)
  }

  func hasFallenBehind() { tell(.lagging) }

  private func tell(_ happening: ClientHappening) {
    connections.note(happening, client: identifier, user: account.userID)
  }

  var heldBytes: Int { outbox.heldBytes + chargedInput }
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
    let bytes = UnsafeRawBufferPointer(rebasing: connections.readBuffer[..<count]).assumingMemoryBound(to: UInt8.self)
    let now = UInt64(connections.now.nanoseconds)
    cut { $0.append(bytes.span, now: now, carryOut) }
    if phase != .open { return }
    deadline = input.unfinishedSince.map { since in
      MonotonicInstant(nanoseconds: Int64(since)) + connections.limits.unfinished
    }
    connections.watch(deadline)
  }

  /// Cuts lines, and notes whether some are left.
  private func cut(_ body: (inout LineSplitter) -> LineSplitter.Flow) {
    input.limit = connections.limits.line
    outbox.answeredBytes = 0
    isCutting = true
    let flow = body(&input)
    hasRest = flow != .next
    isHeldBack = flow == .hold
    isCutting = false
    let held = input.count
    if held != chargedInput { account.charge(held - chargedInput) }
    chargedInput = held
  }

  private func carryOut(_ line: borrowing Span<UInt8>?) -> LineSplitter.Flow {
    if case .hold = session.carryOut(copy line) { return .hold }
    connections.turn.flushIfLarge()
    let hasEnough = outbox.isFull || outbox.answeredBytes >= Self.answersPerTurn
    return hasEnough || phase == .closing ? .pause : .next
  }

  private func inputHasEnded() {
    if phase == .open { phase = .inputEnded }
    deadline = nil
    cut { $0.finish(carryOut) }
  }

  /// Brings the poller up to date, and ends the connection when nothing is left to come.
  private func settle() {
    if phase == .closed || isCutting { return }
    if hasRest && !isHeldBack && !willResume && !outbox.isFull {
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
