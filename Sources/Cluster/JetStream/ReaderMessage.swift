/// A message to the inbox of a reader.
package enum ReaderMessage: Equatable, Sendable {
  /// - Parameter pending: The number of records behind it that the server knew when it was sent.
  case record(StoredMessage, pending: UInt64)
  /// The consumer lives; the sequence is that of the last record it has sent.
  case heartbeat(delivered: UInt64)
  /// The server waits until this message is answered, by an empty one to that subject.
  case flowControl(replyTo: String)
  /// The consumer has ended, or there is none.
  case ended(String)

  /// Reads a message; `nil` for one that means nothing to a reader.
  package init?(_ message: IncomingMessage) {
    switch message.status {
    case nil:
      guard let place = message.reply.flatMap(Self.place) else { return nil }
      self = .record(StoredMessage(sequence: place.sequence, bytes: message.payload), pending: place.pending)
    case 100 where message.reply != nil:
      self = .flowControl(replyTo: message.reply ?? "")
    case 100:
      // A heartbeat of a consumer that waits for an answer to flow control names the subject for it.
      if let stalled = message.headers["Nats-Consumer-Stalled"] {
        self = .flowControl(replyTo: stalled)
      } else if let delivered = message.headers["Nats-Last-Stream"].flatMap({ UInt64($0) }) {
        self = .heartbeat(delivered: delivered)
      } else {
        return nil
      }
    case let status?: self = .ended("\(status) \(message.description)")
    }
  }

  /// Returns the place in the stream and the number of records behind it from the subject for the acknowledgement of a delivery.
  ///
  /// It is `$JS.ACK.stream.consumer.deliveries.stream sequence.consumer sequence.time.pending`; newer servers may put a
  /// domain and an account before the stream, and a token behind the rest.
  private static func place(_ subject: String) -> (sequence: UInt64, pending: UInt64)? {
    let tokens = subject.split(separator: ".", omittingEmptySubsequences: false)
    guard tokens.count >= 9, tokens[0] == "$JS", tokens[1] == "ACK" else { return nil }
    let first = tokens.count == 9 ? 5 : 7
    guard let sequence = UInt64(tokens[first]), let pending = UInt64(tokens[first + 3]) else { return nil }
    return (sequence, pending)
  }
}
