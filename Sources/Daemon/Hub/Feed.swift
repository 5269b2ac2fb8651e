import JSON
import SignalGraph
import WireProtocol

/// The subscriptions of one signal that see its events in the same form, and so in the same bytes.
final class Feed {
  let signal: String
  let form: FeedForm
  private let next: NextEvent
  private var audience = Audience<Subscription>()
  /// Events of the signal that slow clients have missed.
  let losses: Losses
  /// Whether the signal's senders may be made to wait.
  var hasBackpressure = false
  /// Whether it is one subscription's alone: of a cold signal, which runs for each by itself.
  let isOwn: Bool
  private let clock: GraphClock
  /// What holds values back and speaks in their place; most feeds have none.
  private let rhythm: Rhythm?

  /// Counts for all feeds of a signal together.
  final class Losses {
    var count: UInt64 = 0
  }

  init(
    signal: String, clock: GraphClock, form: FeedForm = FeedForm(), isOwn: Bool = false, losses: Losses = Losses(),
    rhythm: Rhythm? = nil
  ) {
    self.signal = signal
    self.clock = clock
    self.isOwn = isOwn
    self.losses = losses
    self.form = form
    self.rhythm = rhythm
    next = NextEvent(signal: signal, subscription: form.label)
  }

  var subscriptions: [Subscription] { audience.members }
  var isEmpty: Bool { audience.isEmpty }
  /// Whether it has to know what a value is, to choose among them or to keep one.
  var looksInside: Bool { rhythm != nil }

  func add(_ subscription: Subscription) { audience.append(subscription) }

  /// Takes a subscription off, which has to be kept until the turn ends.
  func remove(_ subscription: Subscription) {
    if audience.remove(subscription) && isEmpty { rhythm?.stop() }
  }

  /// Those of the retained values that a newcomer is to have, at most so many.
  func selection(of entries: [Retention.Entry], newest count: Int?) -> [Retention.Entry] {
    guard let rhythm else { return count.map { Array(entries.suffix($0)) } ?? entries }
    return rhythm.selection(of: entries, newest: count)
  }

  /// Encodes a value once and has it handed to everyone.
  @inline(__always)
  func deliver(_ payload: Payload, sequence: UInt64, in turn: TurnBuffer) {
    if let rhythm, !rhythm.admits(payload, sequence: sequence) { return }
    publish(payload, sequence: sequence, at: time, in: turn)
  }

  /// The same with the text that the value's sender wrote; only for a feed that does not look inside.
  @inline(__always)
  func relay(_ text: Span<UInt8>, sequence: UInt64, in turn: TurnBuffer) {
    turn.flushIfLarge()
    turn.openBatch(of: self)
    next.append(seq: sequence, text: text, at: time, to: &turn.bytes)
    hasAppended(in: turn)
  }

  /// Hands everyone events that stand one behind the other in the turn's buffer.
  func handOut(_ events: Range<Int>, count: Int, in turn: TurnBuffer) {
    forEachSubscription { subscription in
      if !subscription.receive(events, count: count) {
        turn.forEachLine(in: events) { subscription.receive($0, of: self) }
      }
    }
  }

  @inline(__always)
  private func publish(_ payload: Payload, sequence: UInt64, at time: Timestamp?, in turn: TurnBuffer) {
    turn.flushIfLarge()
    turn.openBatch(of: self)
    next.append(seq: sequence, value: payload, at: time, to: &turn.bytes)
    hasAppended(in: turn)
  }

  @inline(__always)
  private func hasAppended(in turn: TurnBuffer) {
    // Further senders have to wait for those who have no room.
    if hasBackpressure { turn.closeBatch() }
  }

  @inline(__always)
  private func forEachSubscription(_ hand: (Subscription) -> Void) {
    audience.beginVisit()
    var place = 0
    while place < audience.placeCount {
      audience[place]?._withUnsafeGuaranteedRef(hand)
      place += 1
    }
    audience.endVisit()
  }

  /// Hands on a value that has waited.
  func publish(_ entry: Retention.Entry, in turn: TurnBuffer) {
    publish(entry.payload, sequence: entry.sequence, at: time(of: entry), in: turn)
  }

  /// Tells everyone of the signal's ending, behind a value that still waits.
  func deliver(ending: SubscriptionEvent, in turn: TurnBuffer) {
    deliverPending(in: turn)
    turn.closeBatch()
    let start = turn.count
    append(ending, to: &turn.bytes)
    let line = start..<turn.count
    for subscription in subscriptions { subscription.receive(ending: line, of: self) }
  }

  /// Hands on the value that waits for the end of its span, before somebody leaves.
  func deliverPending(in turn: TurnBuffer) {
    if let entry = rhythm?.takePending() { publish(entry, in: turn) }
  }

  /// Tells those who keep up that the signal is quiet.
  func deliverAlive(sequence: UInt64, in turn: TurnBuffer) {
    turn.closeBatch()
    let start = turn.count
    append(.alive(signal: signal, seq: sequence), to: &turn.bytes)
    let line = start..<turn.count
    for subscription in subscriptions { subscription.receive(alive: line) }
  }

  /// Appends the line of a value that came before.
  func append(_ entry: Retention.Entry, to bytes: inout [UInt8]) {
    next.append(seq: entry.sequence, value: entry.payload, at: time(of: entry), to: &bytes)
  }

  /// Appends the line of another event.
  func append(_ event: SubscriptionEvent, to bytes: inout [UInt8]) {
    event.append(to: &bytes, subscription: form.label, at: time)
  }

  /// The time that an event of this turn carries.
  private var time: Timestamp? { form.hasTimestamps ? Timestamp(microseconds: clock.microseconds) : nil }

  /// The time at which a value came.
  private func time(of entry: Retention.Entry) -> Timestamp? {
    form.hasTimestamps ? Timestamp(microseconds: entry.time) : nil
  }
}
