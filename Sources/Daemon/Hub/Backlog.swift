import SignalGraph

/// Retained values on their way to a newcomer, encoded one by one as there is room.
final class Backlog {
  private let entries: [Retention.Entry]
  private var position = 0
  private let feed: Feed

  init(_ entries: [Retention.Entry], feed: Feed) {
    self.entries = entries
    self.feed = feed
  }

  var isEmpty: Bool { position == entries.count }

  func appendNext(to bytes: inout [UInt8]) {
    let entry = entries[position]
    position += 1
    feed.append(entry, to: &bytes)
  }
}
