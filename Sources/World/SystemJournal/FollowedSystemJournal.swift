import Glibc
import GraphModel
import Linux

/// A system journal that one signal follows.
final class FollowedSystemJournal: CooperativeTask {
  var isWaiting = false
  var source: String? { query.owner }
  private let query: SystemJournalQuery
  private unowned let journals: FollowedSystemJournals
  private let receive: (SystemJournalEvent) -> Void
  /// The position to resume at when the system journal is reopened.
  private var start: SystemJournal.Start
  private var journal: SystemJournal?
  private var handler: PollHandler?
  private var isOver = false
  /// True while it waits for the system journal until the next attempt.
  var isAwaited = false
  /// The start position until it is delivered: a caller gets no event before its call has returned.
  private var pendingCursor: String?
  /// The last report of a fault of the system journal, so that each is made once.
  private var complaint: String?

  init(
    _ query: SystemJournalQuery, from start: SystemJournalStart, among journals: FollowedSystemJournals,
    _ receive: @escaping (SystemJournalEvent) -> Void
  ) {
    self.query = query
    self.start = SystemJournal.Start(start)
    self.journals = journals
    self.receive = receive
  }

  /// Opens the system journal if it exists, so that entries from now on are read.
  func begin() {
    do throws(Errno) { try open() } catch { giveUp(error) }
  }

  /// Stops delivering events.
  func end() {
    isOver = true
    close()
  }

  private func close() {
    // The poller releases the descriptor before it is closed.
    handler = nil
    journal = nil
  }

  func runSlice() -> Bool {
    if isOver { return false }
    do throws(Errno) {
      if journal == nil, !isAwaited { try open() }
      if let cursor = pendingCursor.take() { receive(.reached(cursor)) }
      guard let journal else { return false }
      return try read(journal)
    } catch {
      giveUp(error)
      return false
    }
  }

  /// Closes a system journal that cannot be read, and retries later.
  private func giveUp(_ error: Errno) {
    complain("cannot read the system journal, retrying: \(error)")
    waitForIt()
  }

  private func waitForIt() {
    close()
    if !isOver { journals.wait(for: self) }
  }

  // MARK: Opening

  /// Opens the system journal, or waits for it to be created.
  private func open() throws(Errno) {
    let fault = SystemJournalFiles.fault(in: query.folder)
    let journal = fault?.number == ENOENT ? nil : try SystemJournal(folder: query.folder)
    guard let journal, journal.hasFiles else {
      complain(fault)
      if fault?.number == ENOENT, start == .end {
        // All entries of a system journal that is created later are new.
        start = .beginning
        pendingCursor = ""
      }
      return waitForIt()
    }
    if let fault, fault.isDenied { complain("cannot read part of the journal: \(fault)") } else { complaint = nil }
    let beginning = try journal.begin(from: start, meeting: query.conditions)
    self.journal = journal
    handler = try PollHandler(journals.poller, readable: journal.descriptor) { [unowned self] in changed() }
    note(beginning)
  }

  private func note(_ beginning: SystemJournal.Beginning) {
    switch (beginning, start) {
    case (.lost, .after(let cursor)):
      log(
        "the system journal no longer has the entry at cursor \(cursor): resuming with the next "
          + "entry")
    case (.found(let cursor), .end):
      start = cursor.map(SystemJournal.Start.after) ?? .beginning
      pendingCursor = cursor ?? ""
    default: break
    }
  }

  private func complain(_ fault: Errno?) {
    let place = query.folder ?? SystemJournalFiles.folders.joined(separator: " and ")
    switch fault {
    case let fault? where fault.isDenied:
      complain(
        "cannot read the system journal, waiting: \(fault); it requires membership in the group systemd-journal")
    default: complain("no system journal in \(place), waiting")
    }
  }

  private func complain(_ message: String) {
    if message != complaint { log(message) }
    complaint = message
  }

  private func log(_ message: String) { journals.log.write(.warning, message, of: query.owner) }

  // MARK: Reading

  private func changed() {
    do throws(Errno) { try journal?.process() } catch { return giveUp(error) }
    journals.work.add(self)
  }

  /// Reads a slice; returns `true` if there may be more.
  private func read(_ journal: SystemJournal) throws(Errno) -> Bool {
    var rest = CooperativeTasks.piece
    while rest > 0, !isOver {
      guard let item = try journal.next(limit: query.limit) else { return false }
      rest -= max(item.size, 1)
      start = .after(item.cursor)
      receive(SystemJournalEvent(item))
    }
    return true
  }
}

extension SystemJournal.Start {
  fileprivate init(_ start: SystemJournalStart) {
    switch start {
    case .end: self = .end
    case .beginning: self = .beginning
    case .after(let cursor): self = .after(cursor)
    }
  }
}

extension SystemJournalEvent {
  fileprivate init(_ item: SystemJournalItem) {
    switch item {
    case .tooLarge(let cursor): self = .tooLarge(cursor)
    case .entry(let entry):
      self = .entry(
        SystemJournalEntry(
          cursor: entry.cursor, realtime: entry.realtime, monotonic: entry.monotonic,
          fields: entry.fields.map { SystemJournalEntry.Field(name: $0.name, value: $0.value) }))
    }
  }
}
