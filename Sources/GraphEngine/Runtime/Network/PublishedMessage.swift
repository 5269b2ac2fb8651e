import JSON
import Signals

/// A message of a signal on its way to a broker.
struct PublishedMessage: Sendable {
  /// Counts the messages of one queue, in their order.
  let serial: UInt64
  /// The name that the message has for the peer: equal after a restart.
  let key: String
  let topic: String
  let payload: String
  /// Counts the attempts, from 1.
  var attempt = 1
}

extension PublishedMessage: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    serial = try field(\.serial)
    key = try field(\.key)
    topic = try field(\.topic)
    payload = try field(\.payload)
    attempt = try field(\.attempt)
  }
}
