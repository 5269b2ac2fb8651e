import JSON
package import Journal
import SignalGraph

/// All that has entered durable graphs, as far back as their folder has it: lines that a simulation and a test take.
package struct History {
  private let folder: FolderReader
  private let times: ClosedRange<Int64>
  private let isWanted: (String) -> Bool
  /// The names of all signals that there were.
  package private(set) var names: Set<String> = []

  /// - Parameters:
  ///   - times: In microseconds since 1970.
  ///   - isWanted: Whether what entered a signal of a name is wanted.
  package init(of folder: FolderReader, in times: ClosedRange<Int64>, where isWanted: @escaping (String) -> Bool) {
    self.folder = folder
    self.times = times
    self.isWanted = isWanted
  }

  /// The snapshots behind which something of it is, oldest first.
  package func parts() throws(StorageError) -> [StateStatistics.Mark] {
    let marks = try folder.snapshots()
    let first = marks.lastIndex { $0.time <= times.lowerBound } ?? 0
    return marks[min(first, marks.count)...].filter { $0.time <= times.upperBound }
  }

  /// The lines behind a snapshot and up to the next one.
  ///
  /// The graphs are worked out again: what files and programs brought is known by what came of it.
  package mutating func lines(behind mark: StateStatistics.Mark) throws(StorageError) -> [[UInt8]] {
    let (folder, gatherer) = (folder, Gatherer(times, isWanted))
    let names = try folder.atOneMoment { () throws(StorageError) -> [String] in
      // It may have been deleted meanwhile, with all that was behind it.
      guard let snapshot = try folder.snapshot(mark.number) else {
        return []
      }
      let replay = try Replay(snapshot)
      gatherer.listen(to: replay)
      let end = try folder.snapshots().first { $0.number > mark.number }?.number
      try folder.forEachCommit(after: mark.number, upTo: end ?? UInt64(Int64.max)) { commit throws(StorageError) in
        if commit.number > mark.number { try replay.work(out: commit) }
      }
      return replay.durable.places.map(\.name)
    }
    self.names.formUnion(names)
    return gatherer.lines
  }
}

/// Gathers what enters graphs while they are worked out again.
private final class Gatherer {
  private(set) var lines: [[UInt8]] = []
  private let times: ClosedRange<Int64>
  private let isWanted: (String) -> Bool
  private var time: Int64 = 0

  init(_ times: ClosedRange<Int64>, _ isWanted: @escaping (String) -> Bool) {
    self.times = times
    self.isWanted = isWanted
  }

  func listen(to replay: Replay) {
    replay.onEntry = { [unowned self, unowned durable = replay.durable] entry, time in
      self.time = time.microseconds
      note(entry, in: durable)
    }
    replay.durable.emissions.observer = { [unowned self, unowned durable = replay.durable] event, place in
      let signal = durable.places[place]
      // Words of files, programs and buses; values that are sent are noted as they enter.
      let isNotedBefore = signal.acceptsValues && !signal.hasVoiceOutside
      if !isNotedBefore, !signal.declaration.isMadeWithin { add(signal.name) { tell(event, $0) } }
    }
  }

  private func note(_ entry: Entry, in durable: DurableRuntime) {
    func name(_ place: UInt32) -> String { durable.places[Int(place)].name }
    // A bus is asked for the value, and says later what has come of it.
    func isAsked(_ place: UInt32) -> Bool { durable.places[Int(place)].hasVoiceOutside }
    switch entry {
    case .value(_, let place, _) where isAsked(place), .values(_, let place, _) where isAsked(place): break
    case .value(let value, let place, _): add(name(place)) { line($0, ("value", value.value)) }
    case .values(let values, let place, _):
      for value in values { add(name(place)) { line($0, ("value", value.value)) } }
    case .ending(let ending, let place, _): add(name(place)) { end($0, ending) }
    case .crossing(let event, let place): add(name(place)) { tell(event, $0) }
    case .restart(let places):
      for place in places { add(name(place)) { line($0, ("event", "subscribed")) } }
    case .timers, .listening, .world, .content, .appended: break
    }
  }

  private func add(_ name: String, _ line: (String) -> [UInt8]) {
    if times.contains(time), isWanted(name) { lines.append(line(name)) }
  }

  /// As a subscriber would have been told it.
  private func tell(_ event: SignalEvent, _ name: String) -> [UInt8] {
    SimulatedEvent(time: .moment(microseconds: time), signal: name, event: event).line
  }

  private func end(_ name: String, _ ending: SignalEnding) -> [UInt8] { tell(.ended(ending), name) }

  /// As a person would write it, who sends something.
  private func line(_ name: String, _ member: (String, JSONValue)) -> [UInt8] {
    let at = RecordedTime.moment(microseconds: time)
    let members: [(String, JSONValue)] = [("at", .string("\(at)")), ("signal", .string(name)), member]
    return JSONValue.object(JSONObject(members)).json
  }
}
