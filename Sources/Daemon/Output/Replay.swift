import GraphEngine

/// Retained values for a new subscription, encoded one by one as space becomes available.
final class Replay {
  private let entries: [Retention.Entry]
  private var position = 0
  let stream: EventEncoder
  /// The approximate number of bytes that it holds, besides the values shared with the signal.
  var heldBytes: Int { entries.count * MemoryLayout<Retention.Entry>.stride }

  init(_ entries: [Retention.Entry], of stream: EventEncoder) {
    self.entries = entries
    self.stream = stream
  }

  /// The values that have not been encoded yet.
  var rest: [Retention.Entry] { Array(entries[position...]) }

  var isEmpty: Bool { position == entries.count }

  func appendNext(to bytes: inout [UInt8]) {
    let entry = entries[position]
    position += 1
    stream.append(entry, to: &bytes)
  }
}
