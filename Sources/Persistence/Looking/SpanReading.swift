import GraphModel
import StateLog

/// Reads a span from the folder, beginning at one of the snapshots.
struct SpanReading {
  enum Outcome {
    case whole(RecordedSpan)
    /// The graphs were started or reloaded at a snapshot before the span.
    case broken(at: Int)
  }

  private let folder: FolderReader
  private let marks: [StateStatistics.Mark]
  private let first: Int
  private let newest: Int

  /// - Parameters:
  ///   - marks: All snapshots, oldest first.
  ///   - first: The snapshot to replay from.
  ///   - newest: The last one before the span.
  init(_ folder: FolderReader, _ marks: [StateStatistics.Mark], first: Int, newest: Int) {
    (self.folder, self.marks, self.first, self.newest) = (folder, marks, first, newest)
  }

  func span(from since: Int64?, to until: Int64?) throws(HistoryTest.Refusal) -> Outcome {
    let until = until ?? .max
    var broken: Int?
    let span = try HistoryTest.reading { () throws(StorageError) -> RecordedSpan in
      try folder.atOneMoment { () throws(StorageError) -> RecordedSpan in
        guard let snapshot = try folder.snapshot(marks[first].number) else { throw PastCommits.deleted }
        let replay = try Replay(snapshot)
        let span = RecordedSpan(replay, in: min(since ?? .min, until)...until)
        for index in first..<marks.count where !span.isOver {
          let end = index + 1 < marks.count ? marks[index + 1].number : UInt64(Int64.max)
          try folder.forEachCommit(after: marks[index].number, upTo: end) { commit throws(StorageError) in
            if !span.isOver { try replay.work(out: commit) }
          }
          // The snapshot of a start or a reload has a number of its own.
          if index + 1 < marks.count, replay.lastCommit != end, !span.isOver {
            if marks[index + 1].time <= until { broken = index + 1 }
            break
          }
        }
        span.finish()
        return span
      }
    }
    guard let broken else { return .whole(span) }
    if broken <= newest { return .broken(at: broken) }
    let moment = RecordedTime.moment(microseconds: marks[broken].time)
    throw .untellable(
      "the daemon was started or reloaded at \(moment), within the period, which a test cannot express; set --until "
        + "before that, or set --since \(moment)")
  }
}
