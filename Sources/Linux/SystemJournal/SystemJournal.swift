import CSystemd
import Glibc

/// A reader of the system journal, entry by entry (`sd-journal(3)`).
///
/// Follows its files through rotation and removal. A descriptor signals possible new entries; the end is reached once
/// `next` has returned `nil`.
package final class SystemJournal {
  /// The start position.
  package enum Start: Equatable, Sendable {
    /// After the last entry.
    case end
    /// At the oldest entry.
    case beginning
    /// After the entry with this cursor.
    case after(String)
  }

  /// The outcome of seeking to the start position.
  package enum Beginning: Equatable, Sendable {
    /// Reading begins after the entry with this cursor; `nil` if it begins with the oldest entry.
    case found(after: String?)
    /// The entry is gone, and reading begins with its successors.
    case lost
  }

  private let journal: OpaquePointer
  /// The descriptor that is readable after a change.
  package let descriptor: Int32
  /// The cursor of the entry before the start, until an entry has been read.
  private var skipped: String?

  /// Opens the files of a folder, or those of this machine.
  package init(folder: String?) throws(Errno) {
    var opened: OpaquePointer?
    if let folder {
      try checked(sd_journal_open_directory(&opened, folder, 0), "sd_journal_open_directory")
    } else {
      try checked(sd_journal_open(&opened, Int32(SD_JOURNAL_LOCAL_ONLY)), "sd_journal_open")
    }
    guard let opened else { throw Errno(ENOMEM, call: "sd_journal_open") }
    journal = opened
    // Obtained before the first read, so that no later change is missed.
    let descriptor = sd_journal_get_fd(opened)
    if descriptor < 0 {
      sd_journal_close(opened)
      throw Errno(-descriptor, call: "sd_journal_get_fd")
    }
    self.descriptor = descriptor
  }

  deinit { sd_journal_close(journal) }

  /// True if there is a readable file.
  package var hasFiles: Bool {
    var bytes: UInt64 = 0
    return sd_journal_get_usage(journal, &bytes) >= 0 && bytes > 0
  }

  // MARK: Seeking

  /// Seeks to the start position; called once.
  ///
  /// - Parameter conditions: Each entry has to meet all of them. A condition is a list of alternative sets of matches,
  /// `FIELD=value`; matches of one field within a set are alternatives too (`sd_journal_add_match(3)`).
  package func begin(from start: Start, meeting conditions: [[[String]]]) throws(Errno) -> Beginning {
    // Seeks without conditions, since the entry there need not meet them.
    let beginning = try find(start)
    for condition in conditions {
      for matches in condition {
        for match in matches { try add(match) }
        try checked(sd_journal_add_disjunction(journal), "sd_journal_add_disjunction")
      }
      try checked(sd_journal_add_conjunction(journal), "sd_journal_add_conjunction")
    }
    switch (beginning, start) {
    case (.found(let cursor?), _), (.lost, .after(let cursor)):
      skipped = cursor
      if sd_journal_seek_cursor(journal, cursor) >= 0 { return beginning }
      fallthrough
    default: try checked(sd_journal_seek_head(journal), "sd_journal_seek_head")
    }
    return beginning
  }

  private func find(_ start: Start) throws(Errno) -> Beginning {
    switch start {
    case .beginning: return .found(after: nil)
    case .end:
      try checked(sd_journal_seek_tail(journal), "sd_journal_seek_tail")
      guard try checked(sd_journal_previous(journal), "sd_journal_previous") > 0 else { return .found(after: nil) }
      return .found(after: try cursor())
    case .after(let cursor):
      guard sd_journal_seek_cursor(journal, cursor) >= 0,
        try checked(sd_journal_next(journal), "sd_journal_next") > 0, sd_journal_test_cursor(journal, cursor) > 0
      else { return .lost }
      return .found(after: cursor)
    }
  }

  private func add(_ match: String) throws(Errno) {
    var match = match
    let result = match.withUTF8 { sd_journal_add_match(journal, $0.baseAddress, $0.count) }
    try checked(result, "sd_journal_add_match")
  }

  // MARK: Reading

  /// Processes changes when the descriptor is readable.
  ///
  /// New entries must be looked for after any kind of change: added or removed files do not affect the position.
  package func process() throws(Errno) { try checked(sd_journal_process(journal), "sd_journal_process") }

  /// Returns the next entry, if there is one.
  ///
  /// - Parameter limit: The maximum total size of its fields in bytes.
  package func next(limit: Int) throws(Errno) -> SystemJournalItem? {
    while try checked(sd_journal_next(journal), "sd_journal_next") > 0 {
      if let cursor = skipped.take(), sd_journal_test_cursor(journal, cursor) > 0 { continue }
      return try item(limit: limit)
    }
    return nil
  }

  private func item(limit: Int) throws(Errno) -> SystemJournalItem {
    let cursor = try cursor()
    var (real, monotonic, boot) = (UInt64(0), UInt64(0), sd_id128_t())
    try checked(sd_journal_get_realtime_usec(journal, &real), "sd_journal_get_realtime_usec")
    // Optional: a damaged entry may lack it.
    _ = sd_journal_get_monotonic_usec(journal, &monotonic, &boot)
    guard let fields = try fields(limit: limit) else { return .tooLarge(cursor: cursor) }
    return .entry(SystemJournalItem.Entry(cursor: cursor, realtime: real, monotonic: monotonic, fields: fields))
  }

  /// Returns the fields in the journal's order; `nil` if they are too large.
  private func fields(limit: Int) throws(Errno) -> [(name: String, value: [UInt8])]? {
    // A threshold one byte above the limit detects longer fields.
    try checked(sd_journal_set_data_threshold(journal, limit + 1), "sd_journal_set_data_threshold")
    var fields: [(name: String, value: [UInt8])] = []
    var size = 0
    sd_journal_restart_data(journal)
    while true {
      var (data, length) = (UnsafeRawPointer?.none, 0)
      guard
        try checked(
          sd_journal_enumerate_available_data(journal, &data, &length), "sd_journal_enumerate_available_data") > 0
      else { return fields }
      size += length
      if size > limit { return nil }
      let bytes = UnsafeRawBufferPointer(start: data, count: length)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
      fields.append(
        (String(decoding: bytes[..<equals], as: UTF8.self), Array(bytes[bytes.index(after: equals)...])))
    }
  }

  private func cursor() throws(Errno) -> String {
    var text: UnsafeMutablePointer<CChar>?
    try checked(sd_journal_get_cursor(journal, &text), "sd_journal_get_cursor")
    guard let text else { return "" }
    defer { free(text) }
    return String(cString: text)
  }
}
