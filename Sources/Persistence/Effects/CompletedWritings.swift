import GraphEngine

/// File writes that have been carried out since the last entries about them.
struct CompletedWritings {
  private var appends: UInt64 = 0
  private var replaced: Set<FileWriting.Path> = []

  mutating func add(_ writing: FileWriting) {
    if writing.isAppended { appends += 1 } else { replaced.insert(writing.path) }
  }

  /// Removes the writes and returns the entries that keep recovery from repeating them.
  ///
  /// - Parameter isOwed: Returns true for a file whose next replacement has been logged already, so that an entry behind it
  ///   would count for that one, too.
  mutating func takeEntries(unless isOwed: (FileWriting.Path) -> Bool) -> [Entry] {
    let paths = replaced.filter { !isOwed($0) }.sorted { $0.description < $1.description }
    let entries = (appends > 0 ? [Entry.appended(appends)] : []) + (paths.isEmpty ? [] : [.replaced(paths)])
    self = Self()
    return entries
  }
}
