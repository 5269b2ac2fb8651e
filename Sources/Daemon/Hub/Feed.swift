import JSON
import ReactiveCore
import SignalGraph
import WireProtocol

/// The subscriptions of one signal that see its events in the same form.
final class Feed: EventStream {
  private var audience = Audience<Subscription>()
  /// Whether it is one subscription's alone: of a cold signal, which runs for each by itself.
  let isOwn: Bool
  /// The pacing that holds values back and speaks in their place; most feeds have none.
  private let rhythm: Rhythm?
  /// Whether it is to hear of no value until its rhythm looks at what the signal keeps.
  var isResting = false

  init(
    signal: String, clock: GraphClock, form: EventForm, isOwn: Bool, losses: Losses, rhythm: Rhythm?
  ) {
    self.isOwn = isOwn
    self.rhythm = rhythm
    super.init(signal: signal, clock: clock, form: form, losses: losses)
  }

  var subscriptions: [Subscription] { audience.members }
  var isEmpty: Bool { audience.isEmpty }
  /// Whether it has to know what a value is, to choose among them.
  var looksInside: Bool { rhythm?.looksInside ?? false }

  func add(_ subscription: Subscription) { audience.append(subscription) }

  /// Takes a subscription off, which has to be kept until the turn ends.
  func forget(_ subscription: Subscription) {
    if audience.remove(subscription) && isEmpty { rhythm?.end() }
  }

  /// The retained values that a newcomer is to have: the newest `count`, or all of them.
  func selection(of entries: [Retention.Entry], newest count: Int?) -> [Retention.Entry] {
    guard let rhythm else { return count.map { Array(entries.suffix($0)) } ?? entries }
    return rhythm.selection(of: entries, newest: count)
  }

  /// Encodes a value once and has it handed to everyone.
  @inline(__always)
  func deliver(_ payload: Payload, sequence: UInt64, in turn: Turn) {
    if let rhythm {
      // A run that is just beginning may have more for one that has what it asked for.
      guard !isEmpty else { return }
      guard rhythm.admits(payload, sequence: sequence) else {
        rhythm.isSent = turn.hasSender
        return
      }
      rest()
    }
    write(payload, sequence: sequence, in: turn)
  }

  /// The same for a value as its sender wrote it.
  @inline(__always)
  func relay(_ text: Span<UInt8>, sequence: UInt64, in turn: Turn) {
    if let rhythm {
      guard !isEmpty else { return }
      guard rhythm.admits(text, sequence: sequence) else {
        rhythm.isSent = turn.hasSender
        return
      }
    }
    write(text, sequence: sequence, in: turn)
  }

  override func handOut(_ events: Range<Int>, count: Int, in turn: Turn) {
    // Found at most once, and before anybody writes: who holds the bytes while others are appended has them copied.
    var lines: [Range<Int>]?
    forEachSubscription { subscription in
      guard !subscription.receive(events, count: count) else { return }
      let each = lines ?? turn.bytes.lines(in: events)
      lines = each
      for line in each { subscription.receive(line, of: self) }
    }
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

  /// Tells everyone of the signal's ending, behind a value that still waits.
  func deliver(ending: SubscriptionEvent, in turn: Turn) {
    deliverPending(in: turn)
    turn.closeBatch()
    let start = turn.count
    append(ending, to: &turn.bytes)
    let line = start..<turn.count
    for subscription in subscriptions { subscription.receive(ending: line, of: self) }
  }

  /// Hands on the value that waits for the end of its span, before somebody leaves.
  func deliverPending(in turn: Turn) {
    if let entry = rhythm?.takePending() { write(entry, in: turn) }
  }

  /// Hears of no value until its span is over, where it may.
  func rest() {
    // Whether a client can be held up for a value is known only as that comes.
    isResting = !hasBackpressure && rhythm?.mayRest ?? false
  }

  /// Hears of each value again, since the signal is about to forget those that it keeps.
  func rouse() {
    if !isResting { return }
    keepPending()
    isResting = false
  }

  /// The value that waits for the end of its span; it goes on waiting.
  @discardableResult func keepPending() -> Retention.Entry? { rhythm?.keepPending() }

  /// Tells those who keep up that the signal is quiet.
  func deliverAlive(sequence: UInt64, in turn: Turn) {
    turn.closeBatch()
    let start = turn.count
    append(.alive(signal: signal, seq: sequence), to: &turn.bytes)
    let line = start..<turn.count
    for subscription in subscriptions { subscription.receive(alive: line) }
  }
}

// MARK: - Handing over

extension Feed {
  func storeRhythm(in writer: inout StateWriter) { rhythm?.store(in: &writer) }

  func restoreRhythm(from reader: inout StateReader) throws(StateError) { try rhythm?.restore(from: &reader) }
}
