package import Signals

/// An event of the system journal, for a signal that follows it.
package enum SystemJournalEvent: Equatable, Sendable {
  /// Reading begins after the entry with this cursor; an empty one means the beginning of the journal.
  case reached(String)
  case entry(SystemJournalEntry)
  /// The entry with this cursor exceeds the limit of bytes.
  case tooLarge(String)
}

/// The starting point for reading the system journal.
package enum SystemJournalStart: Equatable, Sendable {
  /// After the last existing entry.
  case end
  /// At the oldest entry.
  case beginning
  /// After the entry with this cursor or, if it is gone, at the next one.
  case after(String)
}

extension SystemJournalEvent: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .reached(let cursor): writer.kind(0, cursor)
    case .entry(let entry): writer.kind(1, entry)
    case .tooLarge(let cursor): writer.kind(2, cursor)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .reached(try reader.text())
    case 1: self = .entry(try SystemJournalEntry(from: &reader))
    case 2: self = .tooLarge(try reader.text())
    default: throw StateError("unknown kind of system journal event")
    }
  }
}
