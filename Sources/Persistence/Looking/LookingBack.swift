package import JSON
package import Journal
import SignalGraph

/// Looks back at a signal of durable graphs, beside a running daemon or without one.
package struct LookingBack {
  /// The value that is meant.
  package enum Target {
    case number(UInt64)
    /// The one that it held at a moment, in microseconds since 1970.
    case moment(Int64)
    case latest
  }

  /// The reason why nothing can be told.
  package enum Refusal: Error {
    case storage(StorageError)
    /// There is no such signal; these are those that there are.
    case unknown(among: [String])
    /// There is no such value.
    case noValue(String)
  }

  let folder: FolderReader
  let signal: String
  /// All snapshots, oldest first.
  let marks: [StateStatistics.Mark]

  package init(at signal: String, in folder: FolderReader) throws(Refusal) {
    (self.folder, self.signal) = (folder, signal)
    marks = try Self.reading { () throws(StorageError) in try folder.snapshots() }
    if marks.isEmpty { throw .storage(StorageError(.missing, "nothing was written there yet")) }
    if try lastMark(upTo: marks.count - 1) != nil { return }
    let (names, isCold) = try Self.reading { () throws(StorageError) -> ([String], Bool) in
      guard let snapshot = try folder.snapshot(marks[marks.count - 1].number) else { throw PastCommits.deleted }
      let durable = try Replay(snapshot).durable
      let names = durable.places.filter(\.declaration.isDurable).map(\.name)
      return (names, durable.runtime.signal(named: signal)?.isCold ?? false)
    }
    if isCold {
      throw .noValue("\(signal) is cold: it runs for each subscriber by itself, and nothing of that is kept")
    }
    throw .unknown(among: names)
  }

  static func reading<Result>(_ body: () throws(StorageError) -> Result) throws(Refusal) -> Result {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
  }

  /// A value that the signal told.
  package struct Value {
    package let payload: Payload
    package let sequence: UInt64
    /// Since 1970.
    package let microseconds: Int64

    /// The line in which a subscriber would have been told of it.
    package func line(of signal: String) -> [UInt8] {
      SimulatedEvent(
        time: .moment(microseconds: microseconds), signal: signal, event: .next(payload, sequence: sequence)
      ).line
    }
  }

  /// A value that it told, as it was.
  package func value(_ target: Target) throws(Refusal) -> Value {
    let (number, mark) = try find(target)
    var value: Value?
    try Self.reading { () throws(StorageError) in
      _ = try PastCommits(folder, marks, behind: mark).workOut(until: { _ in value != nil }) { replay in
        listen(to: replay) { if $0.sequence == number { value = $0 } }
      }
    }
    if let value { return value }
    return try valueOfStart(number)
  }

  /// Has each value of the signal told as it is worked out.
  func listen(to replay: Replay, _ body: @escaping (Value) -> Void) {
    replay.durable.emissions.observer = { [signal, unowned durable = replay.durable] event, place in
      guard durable.places[place].name == signal, case .next(let payload, let sequence) = event else { return }
      body(Value(payload: payload, sequence: sequence, microseconds: durable.time.microseconds))
    }
  }

  // MARK: Finding it

  /// The number of the value that is meant, and the newest snapshot before it.
  func find(_ target: Target) throws(Refusal) -> (number: UInt64, mark: Int) {
    switch target {
    case .number(let number): return (number, try mark(before: number))
    case .moment(let moment): return try find(upTo: moment)
    case .latest: return try find(upTo: .max)
    }
  }

  private func find(upTo moment: Int64) throws(Refusal) -> (number: UInt64, mark: Int) {
    guard let mark = marks.lastIndex(where: { $0.time <= moment }) else {
      throw .noValue("the past goes back to \(Self.text(marks[0].time)) only")
    }
    try ensurePresence(at: mark)
    let (before, last) = try Self.reading { () throws(StorageError) in
      var (before, last): (UInt64, UInt64?) = (0, nil)
      var isOver = false
      _ = try PastCommits(folder, marks, behind: mark).workOut(
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
    if before == 0 { throw .noValue("\(signal) had told no value \(moment == .max ? "so far" : "by then")") }
    return (before, try self.mark(before: before))
  }

  /// When the signal has ended, in microseconds since 1970, if it has, and the newest snapshot before that.
  func ending() throws(Refusal) -> (time: Int64, mark: Int)? {
    guard let end = try end(behind: marks.count - 1) else { return nil }
    for mark in marks.indices.reversed() where try self.end(at: mark) != end { return (end, mark) }
    throw .noValue("\(signal) has ended at \(Self.text(end)), before all that is kept")
  }

  /// When it had ended by now, if it has.
  private func end(behind mark: Int) throws(Refusal) -> Int64? {
    try Self.reading { () throws(StorageError) in
      try PastCommits(folder, marks, behind: mark).workOut(until: { _ in false }, begin: { _ in })
        .durable.runtime.signal(named: signal)?.end?.time
    }
  }

  /// When it had ended before a snapshot.
  private func end(at mark: Int) throws(Refusal) -> Int64? {
    try Self.reading { () throws(StorageError) in
      guard let snapshot = try folder.snapshot(marks[mark].number) else { throw PastCommits.deleted }
      return try Replay(snapshot).durable.runtime.signal(named: signal)?.end?.time
    }
  }

  /// - Throws: If the graphs did not have the signal at a snapshot.
  func ensurePresence(at mark: Int) throws(Refusal) {
    let was = try lastMark(upTo: mark)
    if was?.index == mark { return }
    let when = mark == marks.count - 1 ? "any more" : "at \(Self.text(marks[mark].time))"
    let earlier = was.map {
      ", but there was one at \(Self.text(marks[$0.index].time)): ask for a SEQ or a time of then"
    }
    throw .noValue("there is no \(signal) in the durable graphs \(when)\(earlier ?? "")")
  }

  /// The newest snapshot that was written before the signal told a value.
  private func mark(before number: UInt64) throws(Refusal) -> Int {
    let behind = try mark(behind: number)
    if behind > 0 { return try lastMark(upTo: behind - 1)?.index ?? behind - 1 }
    // What came about when the graphs began stands in the first snapshot.
    if let held = try held(at: 0), held.sequence == number { return 0 }
    throw .noValue(
      "the past goes back to \(Self.text(marks[0].time)), when \(signal) had told \(try sequence(at: 0)) values")
  }

  /// The oldest snapshot that was written after the signal had told a value; their number where none was.
  private func mark(behind number: UInt64) throws(Refusal) -> Int {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if try sequence(at: middle) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A value that is in no commit: it came about when the graphs were started or reloaded, and a snapshot holds it.
  func valueOfStart(_ number: UInt64) throws(Refusal) -> Value {
    let mark = try mark(behind: number)
    if mark < marks.count, let held = try held(at: mark), held.sequence == number { return held }
    guard mark < marks.count else { throw .noValue("\(signal) has told no value \(number)") }
    throw .noValue(
      "\(signal) \(number) came about when the graphs were started or reloaded, or while they were not durable, at "
        + "\(Self.text(marks[mark].time)) at the latest, and nothing of that is kept")
  }

  /// The last value that the signal had told before a snapshot, if that holds it.
  private func held(at mark: Int) throws(Refusal) -> Value? {
    try Self.reading { () throws(StorageError) in
      guard let snapshot = try folder.snapshot(marks[mark].number),
        let signal = try Replay(snapshot).durable.runtime.signal(named: signal), let time = signal.lastTime,
        let held = signal.retained.latest(1).first
      else { return nil }
      return Value(payload: held.payload, sequence: held.sequence, microseconds: time)
    }
  }

  /// How many values it had told before a snapshot.
  private func sequence(at mark: Int) throws(Refusal) -> UInt64 { try lastMark(upTo: mark)?.sequence ?? 0 }

  /// The newest snapshot up to another one that has the signal, and the number of the last value that it had told.
  ///
  /// A configuration may leave a signal out, or no longer have it durable; once it is back, its numbers go on.
  private func lastMark(upTo mark: Int) throws(Refusal) -> (index: Int, sequence: UInt64)? {
    try Self.reading { () throws(StorageError) in
      var index = mark
      while index >= 0 {
        guard let snapshot = try folder.snapshot(marks[index].number) else { return nil }
        // What crosses from other graphs stands there too.
        let there = try Replay(snapshot).durable.places.first { $0.name == signal && $0.declaration.isDurable }
        if let there { return (index, there.sequence) }
        // Signals come and go with a start or a reload, whose snapshot has a number of its own.
        while index > 0, try folder.hasCommit(marks[index].number) { index -= 1 }
        index -= 1
      }
      return nil
    }
  }

  static func text(_ microseconds: Int64) -> String { "\(RecordedTime.moment(microseconds: microseconds))" }

  /// What led to something that is behind a snapshot; it begins earlier, if it can, so that it is known what the graphs
  /// remembered.
  ///
  /// - Parameter isOver: Asked after each entry whether it is the last one that is wanted.
  func span(behind mark: Int, until isOver: @escaping (Replay) -> () -> Bool) throws(Refusal) -> PastSpan {
    try Self.reading { () throws(StorageError) in
      let isEarlier = mark > 0 ? try folder.hasCommit(marks[mark].number) : false
      return try PastSpan(folder, marks, first: isEarlier ? mark - 1 : mark, until: isOver)
    }
  }
}
