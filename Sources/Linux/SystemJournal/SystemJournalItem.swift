/// One entry of the journal of systemd, as far as it was read.
package enum SystemJournalItem: Sendable {
  case entry(Entry)
  /// Its fields have more bytes than they may.
  case tooLarge(cursor: String)

  package struct Entry: Sendable {
    /// The text by which the entry is found again.
    package let cursor: String
    /// When it was received, in microseconds since 1970.
    package let realtime: UInt64
    /// The same in microseconds since the machine was started.
    package let monotonic: UInt64
    /// A name may be there several times.
    package let fields: [(name: String, value: [UInt8])]
  }

  package var cursor: String {
    switch self {
    case .entry(let entry): entry.cursor
    case .tooLarge(let cursor): cursor
    }
  }

  /// About how many bytes it has.
  package var size: Int {
    switch self {
    case .entry(let entry): entry.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
    case .tooLarge: 0
    }
  }
}
