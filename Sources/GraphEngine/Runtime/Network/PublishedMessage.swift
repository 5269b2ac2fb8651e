import JSON
import ReactiveCore

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

extension PublishedMessage: StateCodable {
  func encode(to writer: inout StateEncoder) {
    serial.encode(to: &writer)
    writer.text(key)
    writer.text(topic)
    writer.text(payload)
    attempt.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    serial = try UInt64(from: &reader)
    key = try reader.text()
    topic = try reader.text()
    payload = try reader.text()
    attempt = try Int(from: &reader)
  }
}
