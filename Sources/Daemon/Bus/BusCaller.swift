import JSON
import Linux
import Persistence
import Queues
import SignalGraph
import WireProtocol

/// Somebody on the bus who sends to signals, by the name of their connection.
///
/// They are a client whose lines are written here: rights, limits, gates and durable graphs are those of the socket.
final class BusCaller: OutboxOwner, Sender {
  /// How many calls of one may wait.
  private static let mostWaiting = 64

  let name: String
  private unowned let callers: BusCallers
  /// What its user is held to; not known before the bus has told who that is.
  private var client: (session: Session, account: Account)?
  private var waiting = FirstInFirstOut<BusSend>()
  /// Those that have been carried out, by the ids of their requests.
  private var unanswered: [RequestID: BusSend] = [:]
  private var lastID = 0
  private var isHeldBack = false
  private var isOver = false

  init(_ name: String, callers: BusCallers) {
    self.name = name
    self.callers = callers
  }

  /// Whether nothing would be lost with it.
  var isIdle: Bool { waiting.isEmpty && unanswered.isEmpty }

  /// The bus has told who it is.
  func identify(_ credentials: PeerCredentials) {
    if isOver { return }
    let account = callers.ledger.account(ofUser: credentials.userID)
    account.joined()
    let session = Session(
      credentials, account: account, limits: callers.ledger.limits, hub: callers.dispatcher.hub)
    session.outbox.attach(to: self)
    session.sender = self
    session.entrySender = EntrySender(userID: credentials.userID, connection: .bus(name))
    client = (session, account)
    for send in waiting.all { account.charge(send.charge) }
    carryOut()
  }

  /// Takes over limits that a reload has changed.
  func apply(_ limits: Limits) {
    client?.session.outbox.apply(budget: limits.output)
    client?.session.apply(limits.client)
  }

  // MARK: Sending

  func add(_ send: BusSend) {
    if let reason = reasonToRefuse(send) { return callers.refuse(send, BusError(WireError(.tooMany, reason))) }
    client?.account.charge(send.charge)
    waiting.append(send)
    carryOut()
  }

  private func reasonToRefuse(_ send: BusSend) -> String? {
    if waiting.count >= Self.mostWaiting { return "\(Self.mostWaiting) values of this connection wait already" }
    if client?.account.isExhausted == true {
      return "the daemon holds as much for this user as it may (limits.user.memory)"
    }
    // Past this, clients of the socket would be disconnected.
    if callers.ledger.heldBytes + send.charge > callers.ledger.limits.memory {
      return "the daemon holds as much for its clients as it may (limits.memory)"
    }
    return nil
  }

  func goOn() {
    isHeldBack = false
    callers.resume(self)
  }

  /// Carries out what need not wait any more.
  func carryOut() {
    guard let client else { return }
    while !isHeldBack, let send = waiting.first {
      if case .hold = carryOut(send, client.session) {
        isHeldBack = true
        return
      }
      _ = waiting.popFirst()
      client.account.charge(-send.charge)
    }
  }

  private func carryOut(_ send: BusSend, _ session: Session) -> LineSplitter.Flow {
    if let refusal = callers.refusal(of: send, to: session.identity) {
      callers.refuse(send, BusError(refusal))
      return .next
    }
    lastID += 1
    let id = RequestID(lastID)
    let line = Array(SendRequest(signal: send.signal, value: .value(send.value)).line(id: id).dropLast())
    unanswered[id] = send
    let flow = callers.dispatcher.carryOut(line.span, for: session)
    if case .hold = flow { unanswered[id] = nil }
    return flow
  }

  /// Its connection has gone, or the bus.
  func end(because error: WireError? = nil) {
    isOver = true
    if let error {
      client?.session.outbox.flush()
      for send in waiting.all + Array(unanswered.values) { callers.refuse(send, BusError(error)) }
    }
    if let (session, account) = client {
      account.charge(-waiting.all.reduce(0) { $0 + $1.charge })
      session.close()
    }
    waiting = FirstInFirstOut()
    unanswered = [:]
    client = nil
  }

  // MARK: Answers

  func flush() { client?.session.outbox.flush() }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) { answer(Array(line)) }
    return bytes.count
  }

  private func answer(_ line: [UInt8]) {
    guard let line = try? ServerLine(line.span), let id = line.id, let send = unanswered.removeValue(forKey: id) else {
      return
    }
    if case .reply("send") = line.kind { callers.confirm(send) } else { callers.refuse(send, BusError(line.error)) }
  }

  // It subscribes to nothing that it could be too slow for.
  func disconnectSlow() {}
  func hasFallenBehind() {}
}
