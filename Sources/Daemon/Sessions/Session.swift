import Journal
import Linux
import Persistence
import ReactiveCore
import SignalGraph
import WireProtocol

/// One client: who it is, what it listens to, and what it has used.
final class Session: Subscriber {
  let identity: ClientIdentity
  let outbox: Outbox
  private let hub: Hub
  private let account: Account
  private var limits: ClientLimits
  private(set) lazy var gate = SendGate(outbox)
  /// The sender that goes on when this client has waited; `nil` once it is closed.
  unowned var sender: (any Sender)?
  /// Its client as the journal of durable graphs tells it.
  var entrySender: EntrySender?
  /// Few are held to a rate of their own.
  private var sends: SendMeter?
  private var subscriptions: [Subscription.Key: Subscription] = [:]
  private var calls: [RequestID: RunningCall] = [:]
  /// The signal that was last sent to: most clients send to one.
  var lastChannel: Channel?
  /// Values that this client has sent.
  var receivedValues: UInt64 = 0
  /// The charge for its subscriptions.
  private(set) var heldBytes = 0
  private var droppedBefore: UInt64 = 0
  /// How much of what it has sent is not on disk yet, and how many answers wait for that.
  private var untold = 0
  private var unanswered = 0
  /// Its client hears nothing any more.
  private(set) var isOver = false

  /// - Parameter budget: The bytes that its outbox may hold.
  init(_ identity: ClientIdentity, account: Account, limits: ClientLimits, budget: Int, hub: Hub) {
    self.identity = identity
    self.account = account
    self.limits = limits
    sends = limits.sends.map { SendMeter(rate: $0) }
    outbox = Outbox(turn: hub.turn, account: account, budget: budget)
    self.hub = hub
  }

  /// A session of a user's client, with the limits of all.
  convenience init(_ credentials: PeerCredentials, account: Account, limits: Limits, hub: Hub) {
    self.init(ClientIdentity(credentials), account: account, limits: limits.client, budget: limits.output, hub: hub)
  }

  /// Whether something may still come without having been asked for anew.
  var isAwaitingEvents: Bool { !subscriptions.isEmpty || !calls.isEmpty || unanswered > 0 }
  var subscriptionCount: Int { subscriptions.count }
  var droppedEvents: UInt64 { subscriptions.values.reduce(droppedBefore) { $0 + $1.dropped } }

  subscript(key: Subscription.Key) -> Subscription? { subscriptions[key] }

  /// Takes a subscription in, if its client may hold one more.
  func add(_ subscription: Subscription, covering signals: Int) throws(WireError) {
    if subscriptions.count >= limits.subscriptions {
      throw WireError(
        .tooMany, "more than \(limits.subscriptions) subscriptions of one client (limits.client.subscriptions)")
    }
    let charge = subscription.weight(covering: signals)
    try account.addSubscription(charge)
    heldBytes += charge
    subscriptions[subscription.key] = subscription
    subscription.charge = charge
  }

  /// Charges for what a reload has added to a pattern, whatever the limits: nobody asked for it who could be refused.
  func charge(_ subscription: Subscription, covering signals: Int) {
    let growth = subscription.weight(covering: signals) - subscription.charge
    if growth <= 0 { return }
    account.charge(growth)
    heldBytes += growth
    subscription.charge += growth
  }

  func forget(_ subscription: Subscription) {
    guard subscriptions.removeValue(forKey: subscription.key) != nil else { return }
    account.removeSubscription(subscription.charge)
    heldBytes -= subscription.charge
    droppedBefore += subscription.dropped
    hub.forget(subscription)
  }

  // MARK: Sending

  /// Takes over limits that a reload has changed.
  func apply(_ limits: ClientLimits) {
    self.limits = limits
    if let sends { sends.set(rate: limits.sends) } else { sends = limits.sends.map { SendMeter(rate: $0) } }
  }

  /// Counts values that this client has sent.
  func hasSent(_ values: Int) {
    receivedValues &+= UInt64(values)
    sends?.count(values)
    account.sends.count(values)
  }

  /// The rate that this client has to wait for before it may send; `nil` if it may.
  func exhaustedMeter(at now: MonotonicInstant) -> SendMeter? {
    if let sends, !sends.admits(at: now) { return sends }
    return account.sends.isUnlimited || account.sends.admits(at: now) ? nil : account.sends
  }

  /// Has this client wait until a rate allows it to send more.
  func wait(for meter: SendMeter) {
    if let sender { meter.wait(sender) }
  }

  /// Has this client wait until there is room for another.
  func wait(at gate: SendGate) {
    if let sender { gate.wait(sender) }
  }

  // MARK: Durable graphs

  /// Whether something that it has sent waits for the disk.
  var hasUntold: Bool { untold > 0 }

  /// Takes note of something that it has sent and that waits for the disk.
  ///
  /// - Parameter isAnswered: Whether there will be an answer.
  func isUntold(isAnswered: Bool) {
    untold += 1
    if isAnswered { unanswered += 1 }
  }

  /// Takes note that something that it has sent is on disk and is answered now.
  func isAnswered() {
    untold -= 1
    unanswered -= 1
  }

  /// Takes note of messages to which it wants no answer and that wait no more.
  func countTold(_ count: Int) { untold -= count }

  /// Has this client wait until more of what was sent is on disk.
  func waitForCommits() {
    if let sender { hub.commits?.wait(sender) }
  }

  /// Appends an answer behind the answers to what waits for the disk.
  func answerInTurn(_ write: @escaping (inout [UInt8]) -> Void) { answerInTurn(write) { _ in write } }

  /// The same for something that itself waits for the disk.
  ///
  /// - Parameter failed: Gives another answer where that does not take it.
  func answerInTurn(
    _ write: @escaping (inout [UInt8]) -> Void, failed: @escaping (StorageError) -> (inout [UInt8]) -> Void
  ) {
    guard let commits = hub.commits else { return outbox.append(write) }
    isUntold(isAnswered: true)
    commits.graphs.tellInTurn { [self] error in
      isAnswered()
      outbox.append(error.map(failed) ?? write)
    }
  }

  // MARK: Calls

  func isCalling(_ id: RequestID) -> Bool { calls[id] != nil }

  func add(_ call: RunningCall) { calls[call.id] = call }

  func forget(_ call: RunningCall) { calls[call.id] = nil }

  /// Ends all calls, and tells the client why.
  func endCalls(because error: WireError) {
    for call in calls.values { call.end(because: error) }
  }

  /// Ends all subscriptions and calls, for good.
  func end() {
    isOver = true
    for subscription in subscriptions.values { subscription.end() }
    for call in calls.values { call.end() }
  }

  /// Ends it together with the one that it belongs to, who writes nothing any more.
  func close() {
    end()
    outbox.close()
    letGo()
  }

  /// Has nobody belong to it, once all that was to be written is.
  func letGo() {
    outbox.detach()
    sender = nil
    account.closed()
  }
}

// MARK: - Handing over

extension Session {
  /// Its subscriptions in an order that is the same each time.
  var listed: [Subscription] {
    subscriptions.sorted { one, other in
      switch (one.key, other.key) {
      case (.label(let one), .label(let other)), (.pattern(let one), .pattern(let other)): one < other
      case (.label, .pattern): true
      case (.pattern, .label): false
      }
    }.map(\.value)
  }

  /// Writes down what its client has used, and what it has asked for; its calls have ended.
  func store(in writer: inout StateWriter) {
    receivedValues.store(in: &writer)
    droppedBefore.store(in: &writer)
    sends?.store(in: &writer) ?? SendMeter(rate: nil).store(in: &writer)
    let subscriptions = listed
    writer.count(subscriptions.count)
    for subscription in subscriptions { subscription.store(in: &writer) }
  }

  /// Goes on with what its client had asked for in another process.
  func restore(from reader: inout StateReader) throws(StateError) {
    receivedValues = try UInt64(from: &reader)
    droppedBefore = try UInt64(from: &reader)
    try (sends ?? SendMeter(rate: nil)).restore(from: &reader)
    for _ in 0..<(try reader.count()) {
      let subscription = try Subscription(
        from: &reader, of: self, limits: hub.runtime.configuration.server.limits)
      guard subscriptions.updateValue(subscription, forKey: subscription.key) == nil else {
        throw StateError("a client has a subscription twice")
      }
      account.adoptSubscription(subscription.charge)
      heldBytes += subscription.charge
    }
  }
}
