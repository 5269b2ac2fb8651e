import CSystemd
import Glibc

/// The journal of systemd, which is read entry by entry from one place on (`sd-journal(3)`).
///
/// It follows its files as they are rotated and removed. A descriptor tells that there may be more; a reader is at
/// the end once `next` has returned nothing.
package final class SystemJournal {
  /// Where reading begins.
  package enum Start: Equatable, Sendable {
    /// Behind the last entry that there is.
    case end
    /// At the oldest entry.
    case beginning
    /// Behind the entry with this cursor.
    case after(String)
  }

  /// Whether the place where reading was to begin was found.
  package enum Beginning: Equatable, Sendable {
    /// It begins behind the entry with this cursor; `nil` where it begins with the oldest entry.
    case found(after: String?)
    /// The entry is gone, and reading begins with those that came next.
    case lost
  }

  private let journal: OpaquePointer
  /// The descriptor that is readable when something has changed.
  package let descriptor: Int32
  /// The cursor of the entry behind which it begins, until something has been read.
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
    // Asked for before anything is read, so that no change goes unnoticed from here on.
    let descriptor = sd_journal_get_fd(opened)
    if descriptor < 0 {
      sd_journal_close(opened)
      throw Errno(-descriptor, call: "sd_journal_get_fd")
    }
    self.descriptor = descriptor
  }

  deinit { sd_journal_close(journal) }

  /// Whether there is any file of it that can be read.
  package var hasFiles: Bool {
    var bytes: UInt64 = 0
    return sd_journal_get_usage(journal, &bytes) >= 0 && bytes > 0
  }

  // MARK: Beginning

  /// Goes to where reading begins; to be called once.
  ///
  /// - Parameter conditions: Each has to be met by every entry. One is met by an entry that meets one of its sets of
  ///   matches, `FIELD=value`, of which those of one field are alternatives (`sd_journal_add_match(3)`).
  package func begin(from start: Start, meeting conditions: [[[String]]]) throws(Errno) -> Beginning {
    // The place is looked for among all entries: the one there need not meet the conditions.
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

  /// Takes note of what has changed, once the descriptor is readable; entries have to be looked for then, whatever it
  /// was: files that came or went change nothing about the place that was reached.
  package func process() throws(Errno) { try checked(sd_journal_process(journal), "sd_journal_process") }

  /// The next entry, if there is one by now.
  ///
  /// - Parameter limit: How many bytes its fields may have together.
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
    // Nobody misses it where a damaged entry has none.
    _ = sd_journal_get_monotonic_usec(journal, &monotonic, &boot)
    guard let fields = try fields(limit: limit) else { return .tooLarge(cursor: cursor) }
    return .entry(SystemJournalItem.Entry(cursor: cursor, realtime: real, monotonic: monotonic, fields: fields))
  }

  /// The fields in the order in which the journal gives them; `nil` where they are too large.
  private func fields(limit: Int) throws(Errno) -> [(name: String, value: [UInt8])]? {
    // One byte more than a field may have says that it has too many.
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
