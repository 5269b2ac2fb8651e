import ReactiveCore
import SignalGraph
import WireProtocol

/// The signals that one client listens to by one `subscribe`: a single one, or all that a pattern covers.
final class Subscription: LaneOwner {
  /// The name that it is ended by: its label, or the pattern of one that has none.
  enum Key: Hashable {
    case label(String)
    case pattern(String)
  }

  /// The options that a `subscribe` asks for.
  struct Options {
    let pattern: SignalPattern
    let form: EventForm
    let condition: WhereClause?
    let replay: Int?
    let take: Int?
    let overflow: OverflowRule
  }

  /// The first events of a signal for a newcomer.
  struct Beginning {
    /// The word that comes before the values.
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
  /// How many retained values a newcomer is to have; `nil` for all.
  private let replay: Int?
  let outbox: Outbox
  let lane: Lane
  private unowned let subscriber: any Subscriber
  /// Where those wait who send to it, if they are to.
  let gate: SendGate?
  /// The charge to its client.
  var charge = 0
  private(set) var isOver = false
  private var attachments = Attachments()

  convenience init(_ options: Options, of subscriber: any Subscriber) {
    self.init(options, Lane(overflow: options.overflow, remaining: options.take), of: subscriber)
  }

  private init(_ options: Options, _ lane: Lane, of subscriber: any Subscriber) {
    pattern = options.pattern
    form = options.form
    condition = options.condition
    replay = options.replay
    self.lane = lane
    identity = subscriber.identity
    outbox = subscriber.outbox
    gate = options.overflow == .block ? subscriber.gate : nil
    self.subscriber = subscriber
  }

  /// The name under which its client ends it.
  var key: Key { form.label.map { .label($0) } ?? .pattern(pattern.text) }
  /// Whether it is over after some number of values.
  var isCounting: Bool { lane.remaining != nil }
  /// The signals that it listens to now.
  var channels: [Channel] { attachments.all.map(\.channel) }
  /// Events that its client has missed.
  var dropped: UInt64 { lane.dropped }

  /// The charge to its client.
  func weight(covering signals: Int) -> Int {
    Self.overhead + Self.signalOverhead * signals
      + (form.condition.map { $0.utf8.count * WhereClause.chargePerByte } ?? 0)
  }

  // MARK: Events

  /// Takes a value, which stands encoded in the turn's buffer.
  @inline(__always)
  func receive(_ event: Range<Int>, of feed: Feed) {
    if isOver { return }
    if outbox.append(event: event, lane: lane, stream: feed), lane.remaining != nil { countDown(1, feed) }
  }

  /// Takes several values, which stand encoded one behind the other in the turn's buffer.
  ///
  /// - Returns: whether it could: one that counts them, or whose client is slow, takes them one by one.
  @inline(__always)
  func receive(_ events: Range<Int>, count: Int) -> Bool {
    isOver || (lane.remaining == nil && outbox.append(events: events, count: count))
  }

  /// Takes a word about a signal.
  func receive(_ notice: SubscriptionEvent, of feed: Feed) {
    if !isOver { outbox.append { feed.append(notice, to: &$0) } }
  }

  /// Takes the ending of a signal, which stands encoded in the turn's buffer.
  func receive(ending: Range<Int>, of feed: Feed) {
    if isOver { return }
    outbox.append(line: ending)
    detach(from: feed)
  }

  /// Takes the word that a signal is quiet, which only those need who have nothing else to read.
  func receive(alive line: Range<Int>) {
    if !isOver && !outbox.isBehind { outbox.append(line: line) }
  }

  /// Ends a signal for this client alone.
  func interrupt(_ feed: Feed, _ reason: SubscriptionEvent.Reason) {
    guard isAttached(to: feed) else { return }
    outbox.append { feed.append(.interrupted(signal: feed.signal, reason), to: &$0) }
    detach(from: feed)
  }

  /// Begins with a signal: what it retains, and its ending if it has ended, else everything from now on.
  func begin(_ channel: Channel, with beginning: Beginning) {
    if isOver { return }
    let feed = attach(to: channel)
    if let notice = beginning.notice { outbox.append { feed.append(notice, to: &$0) } }
    var entries = feed.selection(of: beginning.entries, newest: replay)
    if let remaining = lane.remaining { entries = Array(entries.prefix(remaining)) }
    outbox.append(Replay(entries, of: feed))
    outbox.sentValues &+= UInt64(entries.count)
    if lane.remaining != nil { countDown(entries.count, feed) }
    guard let ending = channel.signal.ending, isAttached(to: feed) else { return }
    outbox.append { feed.append(SubscriptionEvent(ending, of: channel.name), to: &$0) }
    detach(from: feed)
  }

  /// Has a signal that it began with run, if that runs only for those who listen; it may be over at once.
  func start(_ channel: Channel) {
    guard let feed = attachments[channel.name]?.feed else { return }
    start(feed, of: channel, after: 0)
  }

  /// Goes on with a signal that the pattern covers since a reload or a restart.
  func extend(to channel: Channel) {
    if attachments[channel.name] != nil { return }
    let feed = attach(to: channel)
    subscriber.charge(self, covering: attachments.count)
    let event = SubscriptionEvent.subscribed(
      signal: channel.name, seq: channel.signal.sequence, epoch: channel.ownEpoch)
    outbox.append { feed.append(event, to: &$0) }
    start(feed, of: channel, after: 0)
  }

  /// Goes on with a signal that has become cold, or is not cold any more; its numbers go on.
  func moveOver(on channel: Channel) {
    guard let attachment = attachments[channel.name] else { return }
    attachments[channel.name] = nil
    attachment.end(self)
    start(attach(to: channel), of: channel, after: channel.signal.sequence)
  }

  /// Ends it: nothing is delivered any more.
  func end() {
    if isOver { return }
    isOver = true
    let ended = attachments.all
    attachments = Attachments()
    for attachment in ended { attachment.end(self) }
    subscriber.forget(self)
  }

  private func countDown(_ count: Int, _ feed: Feed) {
    lane.remaining = lane.remaining.map { $0 - count }
    guard lane.isSatisfied else { return }
    outbox.append { feed.append(.ended(signal: pattern.text), to: &$0) }
    end()
  }

  // MARK: Where it is attached

  private func attach(to channel: Channel) -> Feed {
    let feed = channel.add(self, form, condition)
    attachments[channel.name] = Attachment(channel: channel, feed: feed)
    return feed
  }

  private func isAttached(to feed: Feed) -> Bool { attachments[feed.signal]?.feed === feed }

  /// Has what runs only for listeners begin; it may be over at once.
  private func start(_ feed: Feed, of channel: Channel, after sequence: UInt64) {
    guard isAttached(to: feed), let run = channel.begin(feed, after: sequence) else { return }
    if isAttached(to: feed) { attachments[feed.signal]?.run = run } else { run.stop() }
  }

  /// Lets go of a signal that is over; a subscription to its exact name is over with it.
  private func detach(from feed: Feed) {
    guard let attachment = attachments[feed.signal], attachment.feed === feed else { return }
    if pattern.isName { return end() }
    attachments[feed.signal] = nil
    attachment.end(self)
  }
}

// MARK: - Handing over

extension Subscription {
  var feeds: [Feed] { attachments.all.map(\.feed) }
  var streams: [EventStream] { feeds }

  /// The run of a cold signal that it listens to.
  func run(on feed: Feed) -> ColdRun? { attachments[feed.signal]?.run }

  /// Writes down what its client has asked for, and how far that has come; where it is attached, its channels say.
  func store(in writer: inout StateWriter) {
    writer.text(pattern.text)
    form.label.store(in: &writer)
    form.hasTimestamps.store(in: &writer)
    form.condition.store(in: &writer)
    form.every.store(in: &writer)
    form.heartbeat.store(in: &writer)
    replay.store(in: &writer)
    charge.store(in: &writer)
    lane.store(in: &writer)
  }

  convenience init(
    from reader: inout StateReader, of subscriber: any Subscriber, limits: Limits
  ) throws(StateError) {
    guard let pattern = SignalPattern(try reader.text()) else { throw StateError("a pattern is none") }
    let label = try String?(from: &reader)
    let hasTimestamps = try Bool(from: &reader)
    let condition = try Self.condition(try String?(from: &reader), limits)
    let form = EventForm(
      label: label, hasTimestamps: hasTimestamps, condition: condition?.source, every: try Duration?(from: &reader),
      heartbeat: try Duration?(from: &reader))
    let replay = try Int?(from: &reader)
    let charge = try Int(from: &reader)
    let lane = try Lane(from: &reader)
    self.init(
      Options(
        pattern: pattern, form: form, condition: condition, replay: replay, take: lane.remaining,
        overflow: lane.overflow), lane, of: subscriber)
    self.charge = charge
  }

  private static func condition(_ source: String?, _ limits: Limits) throws(StateError) -> WhereClause? {
    guard let source else { return nil }
    do throws(WireError) { return try WhereClause(source, limits: limits) } catch {
      throw StateError("a condition of a subscription is refused by this version")
    }
  }

  /// Listens to a channel as it did in another process, without a word.
  ///
  /// - Parameter number: That of its run, of a cold signal.
  func adopt(_ channel: Channel, run number: UInt64) -> Feed {
    let feed = attach(to: channel)
    attachments[channel.name]?.run = channel.resume(feed, run: number)
    return feed
  }
}
