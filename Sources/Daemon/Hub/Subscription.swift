import Base
import GraphEngine
import GraphModel
import JSON
import Signals
import WireProtocol

/// The subscription of one client by one `subscribe`: to a single signal, or to all that a pattern covers.
final class Subscription: SubscriptionQueueOwner {
  /// The key to cancel it by: its label, or its pattern if it has none.
  enum Key: Hashable {
    case label(ExactText)
    case pattern(ExactText)
  }

  /// The options of a `subscribe` request.
  struct Options {
    let pattern: SignalPattern
    let form: EventForm
    let condition: WhereClause?
    let replay: Int?
    let take: Int?
    let overflow: OverflowRule
  }

  /// The first events of a signal for a new subscription.
  struct Beginning {
    /// The notice before the values.
    let notice: SubscriptionEvent?
    let entries: [Retention.Entry]

    init(_ notice: SubscriptionEvent? = nil, entries: [Retention.Entry]) {
      self.notice = notice
      self.entries = entries
    }
  }

  /// The charge to a client for each subscription, and for each signal that it covers.
  static let overhead = 192
  static let signalOverhead = 64

  let pattern: SignalPattern
  let identity: ClientIdentity
  private let form: EventForm
  private let condition: WhereClause?
  /// The number of retained values to replay; `nil` for all.
  private let replay: Int?
  let sendBuffer: SendBuffer
  let subscriptionQueue: SubscriptionQueue
  private unowned let subscriber: any Subscriber
  /// The gate for senders to its signals, if it blocks them.
  let gate: SendGate?
  /// The charge to its client.
  var charge = 0
  private(set) var isOver = false
  /// The signals of its pattern whose values are not known here yet, with the place to continue from.
  private var awaited: [String: Continuation.Place?] = [:]
  private var attachments = Attachments()

  convenience init(_ options: Options, of subscriber: any Subscriber) {
    self.init(options, SubscriptionQueue(overflow: options.overflow, remaining: options.take), of: subscriber)
  }

  private init(_ options: Options, _ subscriptionQueue: SubscriptionQueue, of subscriber: any Subscriber) {
    pattern = options.pattern
    form = options.form
    condition = options.condition
    replay = options.replay
    self.subscriptionQueue = subscriptionQueue
    identity = subscriber.identity
    sendBuffer = subscriber.sendBuffer
    gate = options.overflow == .block ? subscriber.gate : nil
    self.subscriber = subscriber
  }

  /// The key that its client cancels it by.
  var key: Key { form.label.map { .label(ExactText($0)) } ?? .pattern(ExactText(pattern.text)) }
  /// True if it ends after a number of values.
  var isCounting: Bool { subscriptionQueue.remaining != nil }
  /// Its current signals.
  var channels: [Channel] { attachments.all.map(\.channel) }
  /// Events that its client has missed.
  var dropped: UInt64 { subscriptionQueue.dropped }

  /// Returns the charge to its client.
  func weight(covering signals: Int) -> Int {
    Self.overhead + Self.signalOverhead * signals
      + (form.condition.map { $0.utf8.count * WhereClause.chargePerByte } ?? 0)
  }

  // MARK: Events

  /// Delivers a value that is encoded in the iteration buffer.
  @inline(__always)
  func receive(_ event: Range<Int>, of group: DeliveryGroup) {
    if isOver { return }
    if sendBuffer.append(event: event, subscriptionQueue: subscriptionQueue, stream: group),
      subscriptionQueue.remaining != nil
    {
      countDown(1, group)
    }
  }

  /// Delivers several values that are encoded in sequence in the iteration buffer.
  ///
  /// - Returns: `false` if they have to be delivered one by one: it counts them, or its client is slow.
  @inline(__always)
  func receive(_ events: Range<Int>, count: Int) -> Bool {
    isOver || (subscriptionQueue.remaining == nil && sendBuffer.append(events: events, count: count))
  }

  /// Delivers a notice about a signal.
  func receive(_ notice: SubscriptionEvent, of group: DeliveryGroup) {
    if !isOver { sendBuffer.append { group.append(notice, to: &$0) } }
  }

  /// Delivers the ending of a signal, encoded in the iteration buffer.
  func receive(ending: Range<Int>, of group: DeliveryGroup) {
    if isOver { return }
    sendBuffer.append(line: ending)
    detach(from: group)
  }

  /// Delivers a heartbeat, which a client with unread output does not need.
  func receive(alive line: Range<Int>) {
    if !isOver && !sendBuffer.isBehind { sendBuffer.append(line: line) }
  }

  /// Counts values of a signal as missed.
  func miss(_ count: Int, of group: DeliveryGroup) {
    if !isOver { sendBuffer.miss(count, subscriptionQueue: subscriptionQueue, stream: group) }
  }

  /// Interrupts a signal for this subscription alone.
  func interrupt(_ group: DeliveryGroup, _ reason: SubscriptionEvent.Reason) {
    guard isAttached(to: group) else { return }
    sendBuffer.append { group.append(.interrupted(signal: group.signal, reason), to: &$0) }
    detach(from: group)
  }

  /// Begins with a signal: its retained values, then its ending or all further events.
  ///
  /// - Parameter announcement: The event before everything else.
  func begin(_ channel: Channel, with beginning: Beginning, after announcement: SubscriptionEvent? = nil) {
    if isOver { return }
    let group = attach(to: channel)
    if let announcement { sendBuffer.append { group.append(announcement, to: &$0) } }
    if let notice = beginning.notice { sendBuffer.append { group.append(notice, to: &$0) } }
    let selection = group.selection(
      of: beginning.entries, newest: replay, for: sendBuffer.account, in: channel.workWindow)
    if selection.missed > 0 { miss(selection.missed, of: group) }
    var entries = selection.wanted
    if let remaining = subscriptionQueue.remaining { entries = Array(entries.prefix(remaining)) }
    sendBuffer.append(Replay(entries, of: group))
    sendBuffer.sentValues &+= UInt64(entries.count)
    if subscriptionQueue.remaining != nil { countDown(entries.count, group) }
    guard let end = channel.signal.end, isAttached(to: group) else { return }
    sendBuffer.append { group.append(SubscriptionEvent(end.ending, of: channel.name), at: end.time, to: &$0) }
    detach(from: group)
  }

  /// Starts a signal that runs only while it has subscriptions; the subscription may end at once.
  func start(_ channel: Channel) {
    guard let group = attachments[channel.name]?.group else { return }
    start(group, of: channel, after: 0)
  }

  /// Adds a signal that the pattern covers since a reload or a restart.
  func extend(to channel: Channel) {
    if attachments[channel.name] != nil || awaited[channel.name] != nil { return }
    let group = attach(to: channel)
    subscriber.charge(self, covering: attachments.count)
    sendBuffer.append { group.append(.subscribed(to: channel), to: &$0) }
    start(group, of: channel, after: 0)
  }

  /// Waits for the values of a signal to become known.
  ///
  /// - Parameter place: The last value that its client has.
  func await(_ channel: Channel, from place: Continuation.Place?) { awaited.updateValue(place, forKey: channel.name) }

  /// Begins with a signal that it has waited for, as if its client subscribed now.
  ///
  /// - Parameter beginning: Returns the first events after a place, or `nil` while that is still to come.
  func beginAwaited(_ channel: Channel, _ beginning: (Continuation.Place?) -> Beginning?) {
    guard !isOver, let place = awaited[channel.name] else { return }
    guard attachments[channel.name] == nil else { return awaited[channel.name] = nil }
    guard let beginning = beginning(place) else { return }
    awaited[channel.name] = nil
    begin(channel, with: beginning, after: .subscribed(to: channel))
    start(channel)
  }

  var isAwaiting: Bool { !awaited.isEmpty }

  /// Waits no longer for signals that satisfy the predicate.
  func forgetAwaited(_ isGone: (String) -> Bool) { awaited = awaited.filter { !isGone($0.key) } }

  /// Moves to a signal that has become cold, or is no longer; its sequence numbers continue.
  func moveOver(on channel: Channel) {
    guard let attachment = attachments[channel.name] else { return }
    attachments[channel.name] = nil
    attachment.end(self)
    start(attach(to: channel), of: channel, after: channel.signal.sequence)
  }

  /// Ends the subscription; no more events are delivered.
  func end() {
    if isOver { return }
    isOver = true
    let ended = attachments.all
    attachments = Attachments()
    for attachment in ended { attachment.end(self) }
    subscriber.remove(self)
  }

  private func countDown(_ count: Int, _ group: DeliveryGroup) {
    subscriptionQueue.remaining = subscriptionQueue.remaining.map { $0 - count }
    guard subscriptionQueue.isSatisfied else { return }
    sendBuffer.append { group.append(.ended(signal: pattern.text), to: &$0) }
    end()
  }

  // MARK: Attachments

  private func attach(to channel: Channel) -> DeliveryGroup {
    let group = channel.add(self, form, condition)
    attachments[channel.name] = Attachment(channel: channel, group: group)
    return group
  }

  private func isAttached(to group: DeliveryGroup) -> Bool { attachments[group.signal]?.group === group }

  /// Starts what runs only while it has subscriptions; this subscription may end at once.
  private func start(_ group: DeliveryGroup, of channel: Channel, after sequence: UInt64) {
    guard isAttached(to: group), let run = channel.begin(group, after: sequence) else { return }
    if isAttached(to: group) { attachments[group.signal]?.run = run } else { run.stop() }
  }

  /// Removes a signal that has ended; a subscription to its exact name ends with it.
  private func detach(from group: DeliveryGroup) {
    guard let attachment = attachments[group.signal], attachment.group === group else { return }
    if pattern.isName { return end() }
    attachments[group.signal] = nil
    attachment.end(self)
  }
}

extension SubscriptionEvent {
  /// The announcement of a signal that a pattern covers from now on.
  fileprivate static func subscribed(to channel: Channel) -> SubscriptionEvent {
    .subscribed(signal: channel.name, seq: channel.signal.sequence, epoch: channel.ownEpoch)
  }
}

// MARK: - Handover

extension Subscription {
  var groups: [DeliveryGroup] { attachments.all.map(\.group) }
  var streams: [EventEncoder] { groups }

  /// Returns the run of a cold signal.
  func run(on group: DeliveryGroup) -> ColdRun? { attachments[group.signal]?.run }

  /// Encodes the request of its client and its progress; the attachments are encoded by the channels.
  func encode(to writer: inout StateEncoder) {
    writer.text(pattern.text)
    form.encode(to: &writer)
    replay.encode(to: &writer)
    charge.encode(to: &writer)
    subscriptionQueue.encode(to: &writer)
  }

  /// Encodes the signals that it waits for, with the places to continue from.
  func encodeAwaited(to writer: inout StateEncoder) {
    writer.count(awaited.count)
    for (signal, place) in awaited.sorted(by: { $0.key < $1.key }) {
      writer.text(signal)
      (place?.epoch).encode(to: &writer)
      writer.number(place?.seq ?? 0)
    }
  }

  func restoreAwaited(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let (signal, epoch, seq) = (try reader.text(), try String?(from: &reader), try reader.number())
      awaited.updateValue(epoch.map { Continuation.Place(seq: seq, epoch: $0) }, forKey: signal)
    }
  }

  convenience init(
    from reader: inout StateDecoder, of subscriber: any Subscriber, limits: Limits
  ) throws(StateError) {
    guard let pattern = SignalPattern(try reader.text()) else { throw StateError("invalid pattern") }
    let form = try EventForm(from: &reader)
    let condition = form.condition.map { Self.condition($0, limits) }
    let replay = try Int?(from: &reader)
    let charge = try Int(from: &reader)
    let subscriptionQueue = try SubscriptionQueue(from: &reader)
    self.init(
      Options(
        pattern: pattern, form: form, condition: condition, replay: replay, take: subscriptionQueue.remaining,
        overflow: subscriptionQueue.overflow), subscriptionQueue, of: subscriber)
    self.charge = charge
  }

  private static func condition(_ source: String, _ limits: Limits) -> WhereClause {
    (try? WhereClause(source, limits: limits)) ?? WhereClause(refused: source)
  }

  /// True if this process refuses its `where`.
  var isRefused: Bool { condition?.isRefused ?? false }

  /// Ends a resumed subscription, and interrupts its signals for its client.
  func interrupt(_ reason: SubscriptionEvent.Reason) {
    for attachment in attachments.all.sorted(by: { $0.channel.name < $1.channel.name }) {
      attachment.channel.deliverPending(of: attachment.group)
      interrupt(attachment.group, reason)
    }
    end()
  }

  /// Attaches to a channel as in the process that has handed over, without a notice.
  ///
  /// - Parameter number: The number of its run of a cold signal.
  func adopt(_ channel: Channel, run number: UInt64) -> DeliveryGroup {
    let group = attach(to: channel)
    attachments[channel.name]?.run = channel.resume(group, run: number)
    return group
  }
}
