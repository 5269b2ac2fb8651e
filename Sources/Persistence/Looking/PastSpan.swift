import Journal
import ReactiveCore
import SignalGraph

/// The last part of what led to something in the past, kept so that it can be worked out again and again.
final class PastSpan {
  /// Something that entered, with what was read of files for it.
  struct Recorded {
    let entry: Entry
    let time: EntryTime
    let contents: [[UInt8]?]
  }

  /// As many entries are kept, the latest ones.
  static let limit = 20_000

  /// The moment before which nothing of it is known, in microseconds since 1970.
  let begins: Int64
  /// The configuration under which it was written.
  let stored: StoredConfiguration
  private(set) var recorded: [Recorded] = []
  /// The graphs at its beginning.
  private let state: [UInt8]

  /// - Parameters:
  ///   - marks: All snapshots, oldest first.
  ///   - first: That from which everything is worked out.
  ///   - isOver: Asked after each entry whether it is the last one that is wanted.
  init(
    _ folder: FolderReader, _ marks: [StateStatistics.Mark], first: Int, until isOver: (Replay) -> () -> Bool
  ) throws(StorageError) {
    let past = try PastCommits(folder, marks, behind: first)
    let count = try past.countEntries(until: isOver)
    let start = max(0, count - Self.limit)
    var (state, begins, recorded): ([UInt8]?, Int64, [Recorded]) = (nil, marks[first].time, [])
    let end = try past.workOut(entries: count) { replay in
      state = start == 0 ? replay.durable.state() : nil
      replay.onDone = { [unowned replay] entry, time, contents in
        if replay.entryCount > start { recorded.append(Recorded(entry: entry, time: time, contents: contents)) }
        guard replay.entryCount == start else { return }
        (state, begins) = (replay.durable.state(), time.microseconds)
      }
    }
    (self.begins, stored, self.state) = (begins, end.stored, state ?? end.durable.state())
    self.recorded = Array(recorded.prefix(count - start))
  }

  /// The graphs as they were at its beginning.
  ///
  /// - Parameter watch: Notes what happens.
  func beginning(_ watch: Watch?) throws(StorageError) -> Replay {
    let replay = try Replay(stored, state, watch: watch)
    watch?.begin(with: replay.durable.places)
    return replay
  }

  /// Works everything out again, each entry with its number in `recorded`.
  ///
  /// - Parameters:
  ///   - isWanted: Whether an entry is to be worked out at all.
  ///   - isOver: Asked before each entry whether no more is wanted.
  func workOut(
    _ watch: Watch, where isWanted: (Int) -> Bool = { _ in true }, until isOver: () -> Bool = { false }
  ) throws(StorageError) {
    let replay = try beginning(watch)
    for (number, step) in recorded.enumerated() where isWanted(number) {
      if isOver() { return }
      replay.perform(step.entry, at: step.time, numbered: number, reading: step.contents)
    }
  }
}
