import Base

/// The reports of a watch that have not been received yet.
struct FolderReports {
  /// The number of files reported together.
  private static let batch = 256

  private var events: [FolderWatch.Event] = []
  /// The files that existed when watching began.
  private var found: [FolderWatch.File] = []
  /// The reports made of single names, so that each is made once.
  private var failures: Set<ExactText> = []
  /// True once it has been reported that there are too many files, until there is space again.
  private(set) var isFull = false

  mutating func append(_ event: FolderWatch.Event) { events.append(event) }

  /// Adds a file that existed when watching began, to be reported with others.
  mutating func append(found file: FolderWatch.File) {
    found.append(file)
    if found.count == Self.batch { endBatch() }
  }

  /// Reports the files found so far.
  mutating func endBatch() {
    if !found.isEmpty { events.append(.found(found)) }
    found = []
  }

  /// Reports that events were lost, once until the reports are taken.
  mutating func appendOverflow() { if events.last != .overflow { events.append(.overflow) } }

  /// Reports that there are too many files.
  mutating func appendFull() {
    if !isFull { events.append(.full) }
    isFull = true
  }

  /// Notes that there is space for files again.
  mutating func endFull() { isFull = false }

  /// Reports a failure, unless that was done before.
  mutating func append(failure text: String) {
    if failures.insert(ExactText(text)).inserted { events.append(.failed(text)) }
  }

  /// Removes and returns all.
  mutating func take() -> [FolderWatch.Event] {
    defer { events = [] }
    return events
  }
}
