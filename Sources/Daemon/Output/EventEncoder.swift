import GraphEngine
import JSON
import WireProtocol

/// The events of one signal in one form, and so in the same bytes: their encoding, and the count of lost ones.
///
/// It has no subscriptions; a `DeliveryGroup` is an encoder with subscriptions.
class EventEncoder {
  final let signal: String
  final let form: EventForm
  private final let next: NextEvent
  private final let clock: GraphClock
  /// The count of the signal's events that slow clients have missed.
  final let losses: Losses
  /// True if the signal's senders may be paused.
  final var hasBackpressure = false

  /// A count shared by all encoders of a signal.
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

  /// Delivers events that are encoded in sequence in the iteration buffer.
  func deliver(_ events: Range<Int>, count: Int, in iteration: LoopIteration) {}

  // MARK: Values

  /// Encodes a value into the iteration buffer, to be delivered with those after it.
  @inline(__always)
  final func write(_ payload: Payload, sequence: UInt64, in iteration: LoopIteration) {
    write(payload, sequence: sequence, at: time, in: iteration)
  }

  /// Encodes an earlier value into the iteration buffer.
  final func write(_ entry: Retention.Entry, in iteration: LoopIteration) {
    write(entry.payload, sequence: entry.sequence, at: time(of: entry), in: iteration)
  }

  /// Encodes a value as the text that its sender wrote.
  @inline(__always)
  final func write(_ text: Span<UInt8>, sequence: UInt64, in iteration: LoopIteration) {
    iteration.flushIfLarge()
    iteration.openBatch(of: self)
    next.append(seq: sequence, text: text, at: time, to: &iteration.bytes)
    noteWritten(in: iteration)
  }

  @inline(__always)
  private final func write(_ payload: Payload, sequence: UInt64, at time: Timestamp?, in iteration: LoopIteration) {
    iteration.flushIfLarge()
    iteration.openBatch(of: self)
    next.append(seq: sequence, value: payload, at: time, to: &iteration.bytes)
    noteWritten(in: iteration)
  }

  @inline(__always)
  private final func noteWritten(in iteration: LoopIteration) {
    // Further senders have to wait for clients with full send buffers.
    if hasBackpressure { iteration.closeBatch() }
  }

  // MARK: Lines

  /// Appends the line of an earlier value.
  final func append(_ entry: Retention.Entry, to bytes: inout [UInt8]) {
    next.append(seq: entry.sequence, value: entry.payload, at: time(of: entry), to: &bytes)
  }

  /// Appends the line of another event, which happened at a time, or just now.
  final func append(_ event: SubscriptionEvent, at microseconds: Int64? = nil, to bytes: inout [UInt8]) {
    let earlier = form.hasTimestamps ? microseconds.map { Timestamp(microseconds: $0) } : nil
    event.append(to: &bytes, subscription: form.label, at: earlier ?? time)
  }

  /// The timestamp of an event in this iteration.
  private final var time: Timestamp? { form.hasTimestamps ? Timestamp(microseconds: clock.microseconds) : nil }

  /// Returns the timestamp of an earlier value.
  private final func time(of entry: Retention.Entry) -> Timestamp? {
    form.hasTimestamps ? Timestamp(microseconds: entry.time) : nil
  }
}
