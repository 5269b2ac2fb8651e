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
    let sender: EntrySender?
  }

  /// As many entries are kept, the latest ones, and about as many bytes of them; at least half as many, where there are.
  static let limit = 20_000
  static let byteLimit = 128 << 20

  /// The moment before which nothing of it is known, in microseconds since 1970.
  let begins: Int64
  /// The configuration under which it was written.
  let stored: StoredConfiguration
  let recorded: [Recorded]
  /// The graphs at its beginning.
  private let state: [UInt8]

  /// - Parameters:
  ///   - marks: All snapshots, oldest first.
  ///   - first: That from which everything is worked out.
  ///   - isOver: Asked after each entry whether it is the last one that is wanted.
  init(
    _ folder: FolderReader, _ marks: [StateStatistics.Mark], first: Int, until isOver: (Replay) -> () -> Bool
  ) throws(StorageError) {
    let gatherer = Gatherer(marks[first].time)
    let end = try PastCommits(folder, marks, behind: first).workOut(until: { _ in gatherer.isOver }) { replay in
      gatherer.listen(to: replay, until: isOver(replay))
    }
    (stored, begins, state, recorded) = (end.stored, gatherer.begins, gatherer.state, gatherer.recorded)
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

/// Gathers entries while they are worked out, and forgets those that are too many: a state from in between stands in
/// their place.
private final class Gatherer {
  private(set) var recorded: [PastSpan.Recorded] = []
  /// The graphs before the first of them, and when that was.
  private(set) var state: [UInt8] = []
  private(set) var begins: Int64
  private(set) var isOver = false
  /// A later state, and how many of them come before it.
  private var next: (state: [UInt8], begins: Int64, count: Int)?
  /// How many bytes had been worked out when it was taken.
  private var bytes = 0

  init(_ begins: Int64) { self.begins = begins }

  func listen(to replay: Replay, until isOver: @escaping () -> Bool) {
    state = replay.durable.state()
    replay.onDone = { [unowned self, unowned replay] entry, time, contents in
      if self.isOver { return }
      recorded.append(PastSpan.Recorded(entry: entry, time: time, contents: contents, sender: replay.sender))
      self.isOver = isOver()
      let count = recorded.count - (next?.count ?? 0)
      guard count >= PastSpan.limit / 2 || replay.byteCount - bytes >= PastSpan.byteLimit / 2 else { return }
      bytes = replay.byteCount
      shift(to: replay.durable.state(), time.microseconds)
    }
  }

  private func shift(to present: [UInt8], _ microseconds: Int64) {
    if let next {
      (state, begins) = (next.state, next.begins)
      recorded.removeFirst(next.count)
    }
    next = (present, microseconds, recorded.count)
  }
}
