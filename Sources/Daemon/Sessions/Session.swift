import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import Signals
import StateLog
import WireProtocol

/// The session of one client, without its socket: its identity, its subscriptions and calls, its use of limits, and the
/// order of its answers where one has to wait for the disk.
final class Session: Subscriber {
  let identity: ClientIdentity
  let sendBuffer: SendBuffer
  private let hub: Hub
  private let account: Account
  private var limits: ClientLimits
  private(set) lazy var gate = SendGate(sendBuffer)
  /// The sender to resume after a wait; `nil` once it is closed.
  unowned var sender: (any Sender)?
  /// The identity of the client in the state log of durable graphs.
  var entrySender: EntrySender?
  /// The client's own rate, which few have.
  private var sends: SendMeter?
  private var subscriptions: [Subscription.Key: Subscription] = [:]
  private var calls: [RequestID: RunningCall] = [:]
  /// The signal that was last sent to: most clients send to one.
  var lastChannel: Channel?
  /// The number of values that this client has sent.
  var receivedValues: UInt64 = 0
  /// The charge for its subscriptions.
  private(set) var heldBytes = 0
  private var droppedBefore: UInt64 = 0
  /// The commits that its sends wait for, by home, with their numbers and those of the answers among them.
  private var pendingSends = PendingSends()
  /// True while a list of values of its client is open; further lines wait.
  private(set) var isSending = false
  /// True once nothing more is delivered to its client.
  private(set) var isOver = false

  /// - Parameter budget: The most bytes that its send buffer may hold.
  init(_ identity: ClientIdentity, account: Account, limits: ClientLimits, budget: Int, hub: Hub) {
    self.identity = identity
    self.account = account
    self.limits = limits
    sends = limits.sends.map { SendMeter(rate: $0) }
    sendBuffer = SendBuffer(iteration: hub.iteration, account: account, budget: budget)
    self.hub = hub
  }

  /// Creates a session for a user's client, with the general limits.
  convenience init(_ credentials: PeerCredentials, account: Account, limits: Limits, hub: Hub) {
    self.init(ClientIdentity(credentials), account: account, limits: limits.client, budget: limits.output, hub: hub)
  }

  /// True if it may still get events or answers without further requests.
  var isAwaitingEvents: Bool { !subscriptions.isEmpty || !calls.isEmpty || pendingSends.hasAnswers || isSending }
  var userID: UInt32 { account.userID }
  var subscriptionCount: Int { subscriptions.count }
  var droppedEvents: UInt64 { subscriptions.values.reduce(droppedBefore) { $0 + $1.dropped } }

  subscript(key: Subscription.Key) -> Subscription? { subscriptions[key] }

  /// Adds a subscription, if the limits of its client allow it.
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

  /// Charges for the signals that a reload has added to a pattern, regardless of the limits: there is no request to
  /// refuse.
  func charge(_ subscription: Subscription, covering signals: Int) {
    let growth = subscription.weight(covering: signals) - subscription.charge
    if growth <= 0 { return }
    account.charge(growth)
    heldBytes += growth
    subscription.charge += growth
  }

  func remove(_ subscription: Subscription) {
    guard subscriptions.removeValue(forKey: subscription.key) != nil else { return }
    account.removeSubscription(subscription.charge)
    heldBytes -= subscription.charge
    droppedBefore += subscription.dropped
    hub.remove(subscription)
  }

  /// Charges bytes held for the client besides its subscriptions.
  func hold(_ bytes: Int) {
    account.charge(bytes)
    heldBytes += bytes
  }

  /// Notes an open list of values of its client, which may outlive the session and is charged until it is closed.
  func openList(charge: Int) {
    isSending = true
    account.joined()
    hold(charge)
  }

  /// Notes that its list of values has ended.
  func closeList(charge: Int) {
    isSending = false
    hold(-charge)
    account.closed()
  }

  // MARK: Sending

  /// Applies the limits of a reload.
  func apply(_ limits: ClientLimits) {
    self.limits = limits
    if let sends { sends.set(rate: limits.sends) } else { sends = limits.sends.map { SendMeter(rate: $0) } }
  }

  /// Counts values that this client has sent.
  func countSent(_ values: Int) {
    receivedValues &+= UInt64(values)
    sends?.count(values)
    account.sends.count(values)
  }

  /// Returns the rate that this client has to wait for before it may send; `nil` if it may send now.
  func exhaustedMeter(at now: MonotonicInstant) -> SendMeter? {
    if let sends, !sends.admits(at: now) { return sends }
    return account.sends.isUnlimited || account.sends.admits(at: now) ? nil : account.sends
  }

  /// Pauses this client until a rate allows it to send more.
  func wait(for meter: SendMeter) {
    if let sender { meter.wait(sender) }
  }

  /// Pauses this client until another has space in its send buffer.
  func wait(at gate: SendGate) {
    if let sender { gate.wait(sender) }
  }

  // MARK: Durable graphs

  /// True while one of its sends waits for the disk.
  var hasPendingSends: Bool { !pendingSends.isEmpty }

  /// True if a send to a signal has to wait until those to other homes are answered, since answers keep their order.
  func mustAnswer(before channel: Channel) -> Bool {
    channel.commits.map { mustAnswer(before: $0) } ?? false
  }

  /// Notes that it passes on what peers have asked for, as an adapter.
  func noteAdapter() {
    guard let sender = entrySender, case .socket(let number) = sender.connection else { return }
    entrySender = EntrySender(userID: sender.userID, connection: .adapter(number))
  }

  /// True if a send to a home has to wait until those to others are answered.
  func mustAnswer(before home: any AnsweringHome) -> Bool { !pendingSends.areAll(waitingFor: home) }

  /// Counts a send that waits for a home.
  ///
  /// - Parameter isAnswered: True if it will be answered.
  func addPendingSend(in home: any AnsweringHome, isAnswered: Bool) { pendingSends.add(home, isAnswered: isAnswered) }

  /// Counts an answered send that is on disk.
  func didAnswer(in home: Home) { pendingSends.remove(1, in: home, areAnswered: true) }

  /// Counts sends without answers that no longer wait.
  func removePendingSends(_ count: Int, in home: Home) { pendingSends.remove(count, in: home, areAnswered: false) }

  /// Pauses this client until more of what it has sent is on disk.
  func waitForCommits() { if let home = pendingSends.homes.last { wait(for: home) } }

  /// Pauses this client until more is on disk.
  func wait(for home: any AnsweringHome) { if let sender { home.wait(sender) } }

  /// Pauses this client until calls of actions have taken enough of what waits for them.
  func waitForCalls() {
    if let sender { hub.congestion.wait(sender) }
  }

  /// Appends an answer after those that wait for the disk.
  func answerInOrder(_ write: @escaping (inout [UInt8]) -> Void) { answerInOrder(write) { _ in write } }

  /// Appends an answer that itself waits for the disk.
  ///
  /// - Parameters:
  ///   - others: The homes that it waits for besides those of earlier sends.
  ///   - failed: Returns the answer to use if the disk fails.
  func answerInOrder(
    after others: [any AnsweringHome] = [], _ write: @escaping (inout [UInt8]) -> Void,
    failed: @escaping (StorageError) -> (inout [UInt8]) -> Void
  ) {
    let homes = pendingSends.homes + others.filter { other in !pendingSends.homes.contains { $0 === other } }
    if homes.isEmpty { return sendBuffer.append(write) }
    var (remaining, failure) = (homes.count, StorageError?.none)
    for home in homes {
      addPendingSend(in: home, isAnswered: true)
      home.answerAfterSends { [self] error in
        didAnswer(in: home.home)
        failure = failure ?? error
        remaining -= 1
        if remaining == 0 { sendBuffer.append(failure.map(failed) ?? write) }
      }
    }
  }

  // MARK: Calls

  func isCalling(_ id: RequestID) -> Bool { calls[id] != nil }

  func add(_ call: RunningCall) { calls[call.id] = call }

  func remove(_ call: RunningCall) { calls[call.id] = nil }

  /// Ends all calls with an error.
  func endCalls(because error: WireError) {
    for call in calls.values { call.end(because: error) }
  }

  /// Ends all subscriptions and calls permanently.
  func end() {
    isOver = true
    for subscription in subscriptions.values { subscription.end() }
    for call in calls.values { call.end() }
    hub.adapters.remove(self)
  }

  /// Ends the session with its sender, which writes nothing any more.
  func close() {
    end()
    sendBuffer.close()
    release()
  }

  /// Releases the sender, once all output is written.
  func release() {
    sendBuffer.detach()
    sender = nil
    account.closed()
  }
}

// MARK: - Handover

extension Session {
  /// Its subscriptions in a reproducible order.
  var listed: [Subscription] {
    subscriptions.sorted { one, other in
      switch (one.key, other.key) {
      case (.label(let one), .label(let other)), (.pattern(let one), .pattern(let other)): one < other
      case (.label, .pattern): true
      case (.pattern, .label): false
      }
    }.map(\.value)
  }

  /// Encodes the usage and the subscriptions of its client; its calls have ended.
  func encode(to writer: inout StateEncoder) {
    receivedValues.encode(to: &writer)
    droppedBefore.encode(to: &writer)
    sends?.encode(to: &writer) ?? SendMeter(rate: nil).encode(to: &writer)
    let subscriptions = listed
    writer.count(subscriptions.count)
    for subscription in subscriptions { subscription.encode(to: &writer) }
  }

  /// Restores the usage and the subscriptions of its client.
  func restore(from reader: inout StateDecoder) throws(StateError) {
    receivedValues = try UInt64(from: &reader)
    droppedBefore = try UInt64(from: &reader)
    try (sends ?? SendMeter(rate: nil)).restore(from: &reader)
    for _ in 0..<(try reader.count()) {
      let subscription = try Subscription(
        from: &reader, of: self, limits: hub.runtime.configuration.server.limits)
      guard subscriptions.updateValue(subscription, forKey: subscription.key) == nil else {
        throw StateError("duplicate subscription of a client")
      }
      account.adoptSubscription(subscription.charge)
      heldBytes += subscription.charge
    }
  }
}
