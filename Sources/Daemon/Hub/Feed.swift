import JSON
import Linux
import SignalGraph
import WireProtocol

/// The subscriptions of one signal that see its events in the same bytes: those of one label, with or without times.
final class Feed {
  let signal: String
  let label: String?
  let hasTimestamps: Bool
  private let next: NextEvent
  private(set) var subscriptions: [Subscription] = []

  init(signal: String, label: String?, hasTimestamps: Bool) {
    self.signal = signal
    self.label = label
    self.hasTimestamps = hasTimestamps
    next = NextEvent(signal: signal, subscription: label)
  }

  var isEmpty: Bool { subscriptions.isEmpty }

  func add(_ subscription: Subscription) { subscriptions.append(subscription) }

  func remove(_ subscription: Subscription) { subscriptions.removeAll { $0 === subscription } }

  /// Encodes a value once and hands it to everyone.
  @inline(__always)
  func deliver(_ payload: Payload, sequence: UInt64, in turn: TurnBuffer) {
    turn.flushIfLarge()
    let start = turn.count
    append(payload, sequence: sequence, to: &turn.bytes)
    let event = start..<turn.count
    for subscription in subscriptions { subscription.receive(event, of: self) }
  }

  /// Tells everyone of the signal's ending.
  func deliver(ending: SubscriptionEvent, in turn: TurnBuffer) {
    let start = turn.count
    append(ending, to: &turn.bytes)
    let line = start..<turn.count
    for subscription in subscriptions { subscription.receive(ending: line, of: self) }
  }

  /// Appends the line of a value.
  func append(_ payload: Payload, sequence: UInt64, to bytes: inout [UInt8]) {
    next.append(seq: sequence, value: payload, at: time, to: &bytes)
  }

  /// Appends the line of another event.
  func append(_ event: SubscriptionEvent, to bytes: inout [UInt8]) {
    event.append(to: &bytes, subscription: label, at: time)
  }

  private var time: Timestamp? { hasTimestamps ? Self.time : nil }

  /// The time that events carry.
  static var time: Timestamp { Timestamp(microseconds: WallTime.now().microseconds) }
}
