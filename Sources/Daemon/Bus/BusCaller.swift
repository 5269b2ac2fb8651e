import Base
import GraphModel
import JSON
import Linux
import Persistence
import WireProtocol
import World

/// A client on the bus that sends to signals, identified by the name of its connection.
///
/// Its calls become request lines here, so it has the access, limits, gates and durable graphs of a client on the
/// socket.
final class BusCaller: SendBufferOwner, Sender {
  /// The most calls of one connection that may wait.
  private static let mostWaiting = 64

  let name: String
  private unowned let callers: BusCallers
  /// Its session and its user's account, once the bus has identified the user.
  private var client: (session: Session, account: Account)?
  private var waiting = FirstInFirstOut<BusSend>()
  /// The calls whose requests have been handled, by request id.
  private var unanswered: [RequestID: BusSend] = [:]
  private var lastID = 0
  private var isHeldBack = false
  private var isOver = false

  init(_ name: String, callers: BusCallers) {
    self.name = name
    self.callers = callers
  }

  /// True if nothing would be lost by removing it.
  var isIdle: Bool { waiting.isEmpty && unanswered.isEmpty }

  /// Creates the session for the credentials that the bus has returned.
  func identify(_ credentials: PeerCredentials) {
    if isOver { return }
    let account = callers.ledger.account(ofUser: credentials.userID)
    account.joined()
    let session = Session(
      credentials, account: account, limits: callers.ledger.limits, hub: callers.dispatcher.hub)
    session.sendBuffer.attach(to: self)
    session.sender = self
    session.entrySender = EntrySender(userID: credentials.userID, connection: .bus(name))
    client = (session, account)
    for send in waiting.all { account.charge(send.charge) }
    carryOut()
  }

  /// Applies the limits of a reload.
  func apply(_ limits: Limits) {
    client?.session.sendBuffer.apply(budget: limits.output)
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
    if waiting.count >= Self.mostWaiting { return "\(Self.mostWaiting) values of this connection are already waiting" }
    if client?.account.isExhausted == true {
      return "memory limit of this user reached (limits.user.memory)"
    }
    // Past this, clients of the socket would be disconnected.
    if callers.ledger.heldBytes + send.charge > callers.ledger.limits.memory {
      return "memory limit of all clients reached (limits.memory)"
    }
    return nil
  }

  func proceed() {
    isHeldBack = false
    callers.resume(self)
  }

  /// Handles the calls that need not wait any more.
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

  /// Ends after its connection has closed, or that of the bus.
  func end(because error: WireError? = nil) {
    isOver = true
    if let error {
      client?.session.sendBuffer.flush()
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

  func flush() { client?.session.sendBuffer.flush() }

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

  // It has no subscriptions that could make it too slow.
  func disconnectSlow(exceeding limit: MemoryLimit) {}
  func didFallBehind() {}
}
