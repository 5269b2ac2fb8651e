import Glibc
import Linux
import SignalGraph

/// A journal of systemd that one signal follows.
final class FollowedJournal: Pieceworker {
  var isWaiting = false
  var isReader: Bool { true }
  private let query: SystemJournalQuery
  private unowned let journals: FollowedJournals
  private let receive: (SystemJournalEvent) -> Void
  /// Where reading goes on when the journal is opened again.
  private var start: SystemJournal.Start
  private var journal: SystemJournal?
  private var handler: PollHandler?
  private var isOver = false
  /// Whether its journal is waited for, until it is looked for again.
  var isAwaited = false
  /// Where reading begins, until that is told: a caller is told nothing before its call has returned.
  private var untold: String?
  /// The last report of what is wrong with the journal, so that each is made once.
  private var complaint: String?

  init(
    _ query: SystemJournalQuery, from start: SystemJournalStart, among journals: FollowedJournals,
    _ receive: @escaping (SystemJournalEvent) -> Void
  ) {
    self.query = query
    self.start = SystemJournal.Start(start)
    self.journals = journals
    self.receive = receive
  }

  /// Opens the journal if it is there, so that what enters it from now on is read.
  func begin() {
    do throws(Errno) { try open() } catch { giveUp(error) }
  }

  /// Tells nothing more.
  func end() {
    isOver = true
    close()
  }

  private func close() {
    // The poller lets go of the descriptor before that is closed.
    handler = nil
    journal = nil
  }

  func doPiece() -> Bool {
    if isOver { return false }
    do throws(Errno) {
      if journal == nil, !isAwaited { try open() }
      if let cursor = untold.take() { receive(.reached(cursor)) }
      guard let journal else { return false }
      return try read(journal)
    } catch {
      giveUp(error)
      return false
    }
  }

  /// Lets go of a journal that cannot be read, and looks again later.
  private func giveUp(_ error: Errno) {
    complain("the journal cannot be read, and is tried again: \(error)")
    waitForIt()
  }

  private func waitForIt() {
    close()
    if !isOver { journals.wait(for: self) }
  }

  // MARK: Opening

  /// Opens the journal, or waits for it where it is not there.
  private func open() throws(Errno) {
    let fault = SystemJournalFiles.fault(in: query.folder)
    let journal = fault?.number == ENOENT ? nil : try SystemJournal(folder: query.folder)
    guard let journal, journal.hasFiles else {
      complain(fault)
      if fault?.number == ENOENT, start == .end {
        // All of a journal that comes later is new.
        start = .beginning
        untold = ""
      }
      return waitForIt()
    }
    if let fault, fault.isDenied { complain("a part of the journal cannot be read: \(fault)") } else { complaint = nil }
    let beginning = try journal.begin(from: start, meeting: query.conditions)
    self.journal = journal
    handler = try PollHandler(journals.poller, readable: journal.descriptor) { [unowned self] in changed() }
    note(beginning)
  }

  private func note(_ beginning: SystemJournal.Beginning) {
    switch (beginning, start) {
    case (.lost, .after(let cursor)):
      log(
        "the journal does not have the entry any more behind which it goes on (\(cursor)): it goes on with the next "
          + "one that is there")
    case (.found(let cursor), .end):
      start = cursor.map(SystemJournal.Start.after) ?? .beginning
      untold = cursor ?? ""
    default: break
    }
  }

  private func complain(_ fault: Errno?) {
    let place = query.folder ?? SystemJournalFiles.folders.joined(separator: " and ")
    switch fault {
    case let fault? where fault.isDenied:
      complain(
        "the journal cannot be read, and is waited for: \(fault); members of the group systemd-journal may read it")
    default: complain("there is no journal in \(place) yet; it is waited for")
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

  /// Reads a piece; whether there may be more.
  private func read(_ journal: SystemJournal) throws(Errno) -> Bool {
    var rest = Piecework.piece
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
