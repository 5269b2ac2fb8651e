import GraphEngine
import GraphModel
import GraphTools
package import JSON
package import StateLog

/// Queries the history of a durable signal, with or without a running daemon.
package struct LookingBack {
  /// The value to find.
  package enum Target {
    case number(UInt64)
    /// The value at a moment, in microseconds since 1970.
    case moment(Int64)
    case latest
  }

  /// The reason for failing to answer.
  package enum Refusal: Error {
    case storage(StorageError)
    /// Unknown signal; lists the existing ones.
    case unknown(among: [String])
    /// There is no such value.
    case noValue(String)
  }

  let folder: FolderReader
  let signal: String
  /// All snapshots, oldest first.
  let marks: [StateStatistics.Mark]
  private let configurations: PastConfigurations

  package init(at signal: String, in folder: FolderReader) throws(Refusal) {
    (self.folder, self.signal, configurations) = (folder, signal, PastConfigurations(for: signal))
    marks = try Self.reading { () throws(StorageError) in try folder.snapshots() }
    if marks.isEmpty { throw .storage(StorageError(.missing, "the state folder is empty")) }
    if try lastMark(upTo: marks.count - 1) != nil { return }
    let (names, isCold) = try Self.reading { () throws(StorageError) -> ([String], Bool) in
      guard let durable = try graphs(at: marks.count - 1) else { throw PastCommits.deleted }
      let names = durable.places.filter(\.isOriginal).map(\.name)
      return (names, durable.runtime.signal(named: signal)?.isCold ?? false)
    }
    if isCold {
      throw .noValue("\(signal) is cold: its runs, one per subscriber, are not recorded")
    }
    throw .unknown(among: names)
  }

  static func reading<Result>(_ body: () throws(StorageError) -> Result) throws(Refusal) -> Result {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
  }

  /// Returns the graphs at a snapshot; `nil` if it was deleted after it was listed.
  private func graphs(at mark: Int) throws(StorageError) -> DurableRuntime? {
    guard let snapshot = try folder.snapshot(marks[mark].number) else { return nil }
    return try Replay(snapshot, reading: configurations.configuration).durable
  }

  private func commits(behind mark: Int) throws(StorageError) -> PastCommits {
    try PastCommits(folder, marks, behind: mark, configurations)
  }

  /// A value of the signal.
  package struct Value {
    package let payload: Payload
    package let sequence: UInt64
    /// Since 1970.
    package let microseconds: Int64

    /// Returns the line that a subscriber would have received.
    package func line(of signal: String) -> [UInt8] {
      SimulatedEvent(
        time: .moment(microseconds: microseconds), signal: signal, event: .next(payload, sequence: sequence)
      ).line
    }
  }

  /// Answers from the signal's part of the graphs, or from all of them if the part cannot be replayed alone.
  func answering<Answer>(_ answer: () throws(Refusal) -> Answer) throws(Refusal) -> Answer {
    do throws(Refusal) { return try answer() } catch {
      guard configurations.includeOthers() else { throw error }
      return try answer()
    }
  }

  /// Returns a past value of the signal.
  package func value(_ target: Target) throws(Refusal) -> Value {
    try answering { () throws(Refusal) in try replayedValue(target) }
  }

  private func replayedValue(_ target: Target) throws(Refusal) -> Value {
    let (number, mark) = try find(target)
    var value: Value?
    try Self.reading { () throws(StorageError) in
      _ = try commits(behind: mark).workOut(of: signal, until: { _ in value != nil }) { replay in
        listen(to: replay) { if $0.sequence == number { value = $0 } }
      }
    }
    if let value { return value }
    return try valueOfStart(number)
  }

  /// Reports each value of the signal during the replay.
  func listen(to replay: Replay, _ body: @escaping (Value) -> Void) {
    replay.durable.emissions.observer = { [signal, unowned durable = replay.durable] event, place in
      guard durable.places[place].name == signal, case .next(let payload, let sequence) = event else { return }
      body(Value(payload: payload, sequence: sequence, microseconds: durable.time.microseconds))
    }
  }

  // MARK: Searching

  /// Returns the number of the requested value, and the newest snapshot before it.
  func find(_ target: Target) throws(Refusal) -> (number: UInt64, mark: Int) {
    switch target {
    case .number(let number): return (number, try mark(before: number))
    case .moment(let moment): return try find(upTo: moment)
    case .latest: return try find(upTo: .max)
    }
  }

  private func find(upTo moment: Int64) throws(Refusal) -> (number: UInt64, mark: Int) {
    guard let mark = marks.lastIndex(where: { $0.time <= moment }) else {
      throw .noValue("the history begins at \(Self.text(marks[0].time))")
    }
    try ensurePresence(at: mark)
    let (before, last) = try Self.reading { () throws(StorageError) in
      var (before, last): (UInt64, UInt64?) = (0, nil)
      var isOver = false
      _ = try commits(behind: mark).workOut(
        of: signal,
        until: { replay in
          isOver = isOver || replay.durable.time.microseconds > moment
          return isOver
        },
        begin: { replay in
          before = replay.durable.runtime.signal(named: signal)?.sequence ?? 0
          listen(to: replay) { if $0.microseconds <= moment { last = $0.sequence } }
        })
      return (before, last)
    }
    if let last { return (last, mark) }
    if before == 0 { throw .noValue("\(signal) had emitted no value \(moment == .max ? "so far" : "at that time")") }
    return (before, try self.mark(before: before))
  }

  /// Returns the time of the signal's end, in microseconds since 1970, if it has ended, and the newest snapshot before
  /// it.
  func ending() throws(Refusal) -> (time: Int64, mark: Int)? {
    guard let end = try end(behind: marks.count - 1) else { return nil }
    // It has ended in the snapshots from some one on.
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if try self.end(at: middle) == end { high = middle } else { low = middle + 1 }
    }
    if low > 0 { return (end, low - 1) }
    throw .noValue("\(signal) ended at \(Self.text(end)), before the retained history")
  }

  /// Returns the time of the signal's end after a snapshot's commits, if it has ended.
  private func end(behind mark: Int) throws(Refusal) -> Int64? {
    try Self.reading { () throws(StorageError) in
      try commits(behind: mark).workOut(of: signal, until: { _ in false }, begin: { _ in })
        .durable.runtime.signal(named: signal)?.end?.time
    }
  }

  /// Returns the time of the signal's end before a snapshot, if it has ended.
  private func end(at mark: Int) throws(Refusal) -> Int64? {
    try Self.reading { () throws(StorageError) in
      guard let durable = try graphs(at: mark) else { throw PastCommits.deleted }
      return durable.runtime.signal(named: signal)?.end?.time
    }
  }

  /// - Throws: A refusal if the signal did not exist at a snapshot.
  func ensurePresence(at mark: Int) throws(Refusal) {
    let was = try lastMark(upTo: mark)
    if was?.index == mark { return }
    let when = mark == marks.count - 1 ? "any more" : "at \(Self.text(marks[mark].time))"
    let earlier = was.map {
      ", but it existed at \(Self.text(marks[$0.index].time)): give a SEQ or a time of that period"
    }
    throw .noValue("no signal \(signal) in the durable graphs \(when)\(earlier ?? "")")
  }

  /// Returns the newest snapshot before a value of the signal.
  private func mark(before number: UInt64) throws(Refusal) -> Int {
    let behind = try mark(behind: number)
    if behind > 0 { return try lastMark(upTo: behind - 1)?.index ?? behind - 1 }
    // The first snapshot contains the values from the start of the graphs.
    if let held = try held(at: 0), held.sequence == number { return 0 }
    throw .noValue(
      "the history begins at \(Self.text(marks[0].time)), when \(signal) had emitted \(try sequence(at: 0)) values")
  }

  /// Returns the oldest snapshot after a value of the signal; the number of snapshots if there is none.
  private func mark(behind number: UInt64) throws(Refusal) -> Int {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if try sequence(at: middle) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns a value without a commit: it was emitted during a start or a reload, and a snapshot holds it.
  func valueOfStart(_ number: UInt64) throws(Refusal) -> Value {
    let mark = try mark(behind: number)
    if mark < marks.count, let held = try held(at: mark), held.sequence == number { return held }
    guard mark < marks.count else { throw .noValue("\(signal) has emitted no value \(number)") }
    throw .noValue(
      "\(signal) \(number) was emitted at a start or reload, or while the graph was not durable, by "
        + "\(Self.text(marks[mark].time)): its inputs were not recorded")
  }

  /// Returns the signal's last value before a snapshot, if the snapshot holds it.
  private func held(at mark: Int) throws(Refusal) -> Value? {
    try Self.reading { () throws(StorageError) in
      guard let signal = try graphs(at: mark)?.runtime.signal(named: signal), let time = signal.lastTime,
        let held = signal.retained.latest(1).first
      else { return nil }
      return Value(payload: held.payload, sequence: held.sequence, microseconds: time)
    }
  }

  /// Returns the number of values before a snapshot.
  private func sequence(at mark: Int) throws(Refusal) -> UInt64 { try lastMark(upTo: mark)?.sequence ?? 0 }

  /// Returns the newest snapshot up to a given one that contains the signal, and the number of its last value then.
  ///
  /// A configuration may omit a signal or make it non-durable; when it is durable again, its numbers continue.
  func lastMark(upTo mark: Int) throws(Refusal) -> (index: Int, sequence: UInt64)? {
    try Self.reading { () throws(StorageError) in
      var index = mark
      while index >= 0 {
        guard let durable = try graphs(at: index) else { return nil }
        // Mirrors of other graphs' signals are included too.
        let there = durable.places.first { $0.name == signal && $0.isOriginal }
        if let there { return (index, there.sequence) }
        // Signals change only with a start or a reload, whose snapshot has a number of its own.
        while index > 0, try folder.hasCommit(marks[index].number) { index -= 1 }
        index -= 1
      }
      return nil
    }
  }

  static func text(_ microseconds: Int64) -> String { "\(RecordedTime.moment(microseconds: microseconds))" }

  /// Returns the snapshot so many before one, or the first one behind a start or reload in between.
  func first(behind mark: Int, reach: Int) throws(Refusal) -> Int {
    try Self.reading { () throws(StorageError) in
      var first = mark
      while first > 0, first > mark - reach, try folder.hasCommit(marks[first].number) { first -= 1 }
      return first
    }
  }

  /// Returns the span of entries before an event after a snapshot.
  ///
  /// - Parameter isOver: Called after each entry; returns true after the last one required.
  func span(behind mark: Int, until isOver: @escaping (Replay) -> () -> Bool) throws(Refusal) -> PastSpan {
    try Self.reading { () throws(StorageError) in
      try PastSpan(commits(behind: mark), since: marks[mark].time, of: signal, until: isOver)
    }
  }
}
