package import ReactiveCore

/// An event of the journal of systemd, for a signal that follows it.
package enum SystemJournalEvent: Equatable, Sendable {
  /// Reading begins behind the entry with this cursor; an empty one stands for the beginning of the journal.
  case reached(String)
  case entry(SystemJournalEntry)
  /// The entry with this cursor has more bytes than it may.
  case tooLarge(String)
}

/// Where to begin to read the journal of systemd.
package enum SystemJournalStart: Equatable, Sendable {
  /// Behind the last entry that there is.
  case end
  /// At the oldest entry.
  case beginning
  /// Behind the entry with this cursor, or with those that came next where it is gone.
  case after(String)
}

extension SystemJournalEvent: Storable {
  package func store(in writer: inout StateWriter) {
    switch self {
    case .reached(let cursor):
      writer.byte(0)
      writer.text(cursor)
    case .entry(let entry):
      writer.byte(1)
      entry.store(in: &writer)
    case .tooLarge(let cursor):
      writer.byte(2)
      writer.text(cursor)
    }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .reached(try reader.text())
    case 1: self = .entry(try SystemJournalEntry(from: &reader))
    case 2: self = .tooLarge(try reader.text())
    default: throw StateError("an event of the journal of an unknown kind")
    }
  }
}
