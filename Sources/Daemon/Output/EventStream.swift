import JSON
import SignalGraph
import WireProtocol

/// The events of one signal in one form, and so in the same bytes: how they are written, and how many were lost.
///
/// Nobody listens to it; a `Feed` is a stream with subscriptions.
class EventStream {
  final let signal: String
  final let form: EventForm
  private final let next: NextEvent
  private final let clock: GraphClock
  /// Events of the signal that slow clients have missed.
  final let losses: Losses
  /// Whether the signal's senders may be made to wait.
  final var hasBackpressure = false

  /// Counts for all streams of a signal together.
  final class Losses {
    var count: UInt64 = 0
  }

  init(signal: String, clock: GraphClock, form: EventForm = EventForm(), losses: Losses = Losses()) {
    self.signal = signal
    self.clock = clock
    self.form = form
    self.losses = losses
    next = NextEvent(signal: signal, subscription: form.label)
  }

  /// Hands those who listen events that stand one behind the other in the turn's buffer.
  func handOut(_ events: Range<Int>, count: Int, in turn: Turn) {}

  // MARK: Values

  /// Writes a value into the turn's buffer, to be handed out with those behind it.
  @inline(__always)
  final func write(_ payload: Payload, sequence: UInt64, in turn: Turn) {
    write(payload, sequence: sequence, at: time, in: turn)
  }

  /// The same for a value that came before.
  final func write(_ entry: Retention.Entry, in turn: Turn) {
    write(entry.payload, sequence: entry.sequence, at: time(of: entry), in: turn)
  }

  /// The same for the text that the value's sender wrote.
  @inline(__always)
  final func write(_ text: Span<UInt8>, sequence: UInt64, in turn: Turn) {
    turn.flushIfLarge()
    turn.openBatch(of: self)
    next.append(seq: sequence, text: text, at: time, to: &turn.bytes)
    hasWritten(in: turn)
  }

  @inline(__always)
  private final func write(_ payload: Payload, sequence: UInt64, at time: Timestamp?, in turn: Turn) {
    turn.flushIfLarge()
    turn.openBatch(of: self)
    next.append(seq: sequence, value: payload, at: time, to: &turn.bytes)
    hasWritten(in: turn)
  }

  @inline(__always)
  private final func hasWritten(in turn: Turn) {
    // Further senders have to wait for those who have no room.
    if hasBackpressure { turn.closeBatch() }
  }

  // MARK: Lines

  /// Appends the line of a value that came before.
  final func append(_ entry: Retention.Entry, to bytes: inout [UInt8]) {
    next.append(seq: entry.sequence, value: entry.payload, at: time(of: entry), to: &bytes)
  }

  /// Appends the line of another event.
  final func append(_ event: SubscriptionEvent, to bytes: inout [UInt8]) {
    event.append(to: &bytes, subscription: form.label, at: time)
  }

  /// The time that an event of this turn carries.
  private final var time: Timestamp? { form.hasTimestamps ? Timestamp(microseconds: clock.microseconds) : nil }

  /// The time at which a value came.
  private final func time(of entry: Retention.Entry) -> Timestamp? {
    form.hasTimestamps ? Timestamp(microseconds: entry.time) : nil
  }
}
