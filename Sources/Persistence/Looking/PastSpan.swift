import GraphEngine
import GraphTools
import Signals
import StateLog

/// The last part of a recorded history, kept in memory for repeated replays.
final class PastSpan {
  /// An entry with the contents of files read for it.
  struct Recorded {
    let entry: Entry
    let time: EntryTime
    let contents: [[UInt8]?]
    let sender: EntrySender?
    let cuts: [TurnCut]
  }

  /// The approximate maximum number and size of entries kept, the latest ones; at least half of that, if available.
  static let limit = 20_000
  static let byteLimit = 128 << 20

  /// The start of the span, in microseconds since 1970.
  let begins: Int64
  /// The configuration that it was written under, and the part that is replayed.
  let origin: ReplayedConfiguration
  /// The names of the replayed signals, by index.
  let names: [String]
  let recorded: [Recorded]
  /// The state of the graphs at its start.
  private let state: [UInt8]

  /// - Parameters:
  ///   - commits: The commits from which the span is taken.
  ///   - start: The time of the snapshot before them.
  ///   - signal: The signal of interest: entries that do not affect it are skipped.
  ///   - isOver: Called after each entry; returns true after the last one required.
  init(
    _ commits: PastCommits, since start: Int64, of signal: String, until isOver: (Replay) -> () -> Bool
  ) throws(StorageError) {
    let gatherer = Gatherer(start)
    let end = try commits.workOut(of: signal, until: { _ in gatherer.isOver }) { replay in
      gatherer.listen(to: replay, until: isOver(replay))
    }
    (origin, begins, state, recorded) = (end.origin, gatherer.begins, gatherer.state, gatherer.recorded)
    names = end.durable.places.map(\.name)
  }

  /// Returns the graphs in the state at the start of the span.
  ///
  /// - Parameter recorder: Records what happens.
  func beginning(_ recorder: ProvenanceRecorder?) throws(StorageError) -> Replay {
    let replay = try Replay(origin, state, recorder: recorder)
    recorder?.begin(with: replay.durable.places)
    return replay
  }

  /// Replays the span, each entry with its index in `recorded`.
  ///
  /// - Parameters:
  ///   - isWanted: Selects the entries to perform.
  ///   - isOver: Called before each entry; returns true to stop.
  func workOut(
    _ recorder: ProvenanceRecorder, where isWanted: (Int) -> Bool = { _ in true }, until isOver: () -> Bool = { false }
  ) throws(StorageError) {
    let replay = try beginning(recorder)
    for (number, step) in recorded.enumerated() where isWanted(number) {
      if isOver() { return }
      replay.perform(step.entry, at: step.time, numbered: number, reading: step.contents, repeating: step.cuts)
    }
  }
}

/// Collects entries during replay; replaces the oldest ones by an intermediate state when there are too many.
private final class Gatherer {
  private(set) var recorded: [PastSpan.Recorded] = []
  /// The state before the first of them, and its time.
  private(set) var state: [UInt8] = []
  private(set) var begins: Int64
  private(set) var isOver = false
  /// A later state, and the number of entries before it.
  private var next: (state: [UInt8], begins: Int64, count: Int)?
  /// The number of bytes replayed when it was taken.
  private var bytes = 0

  init(_ begins: Int64) { self.begins = begins }

  func listen(to replay: Replay, until isOver: @escaping () -> Bool) {
    state = replay.durable.state()
    replay.onDone = { [unowned self, unowned replay] entry, time, contents in
      if self.isOver { return }
      recorded.append(
        PastSpan.Recorded(
          entry: entry, time: time, contents: contents, sender: replay.sender, cuts: replay.cuts))
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
