/// The result of reading an entry of the system journal.
package enum SystemJournalItem: Sendable {
  case entry(Entry)
  /// The fields exceed the size limit.
  case tooLarge(cursor: String)

  package struct Entry: Sendable {
    /// The identifier for seeking to the entry.
    package let cursor: String
    /// The time of reception, in microseconds since 1970.
    package let realtime: UInt64
    /// The time of reception, in microseconds since boot.
    package let monotonic: UInt64
    /// Names may repeat.
    package let fields: [(name: String, value: [UInt8])]
  }

  package var cursor: String {
    switch self {
    case .entry(let entry): entry.cursor
    case .tooLarge(let cursor): cursor
    }
  }

  /// The approximate size in bytes.
  package var size: Int {
    switch self {
    case .entry(let entry): entry.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
    case .tooLarge: 0
    }
  }
}
