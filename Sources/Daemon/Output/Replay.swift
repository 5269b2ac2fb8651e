import SignalGraph

/// Retained values on their way to a newcomer, encoded one by one as there is room.
final class Replay {
  private let entries: [Retention.Entry]
  private var position = 0
  let stream: EventStream
  /// About how many bytes it keeps, beside values that the signal keeps as well.
  var heldBytes: Int { entries.count * MemoryLayout<Retention.Entry>.stride }

  init(_ entries: [Retention.Entry], of stream: EventStream) {
    self.entries = entries
    self.stream = stream
  }

  /// What has not been encoded yet.
  var rest: [Retention.Entry] { Array(entries[position...]) }

  var isEmpty: Bool { position == entries.count }

  func appendNext(to bytes: inout [UInt8]) {
    let entry = entries[position]
    position += 1
    stream.append(entry, to: &bytes)
  }
}
