import GraphEngine
import GraphModel
import GraphTools
import JSON
package import StateLog

/// The logged inputs of durable graphs, as far back as their folder goes, in the line format of simulations and tests.
package struct History {
  private let folder: FolderReader
  private let times: ClosedRange<Int64>
  private let isWanted: (String) -> Bool
  /// The names of all signals encountered.
  package private(set) var names: Set<String> = []

  /// - Parameters:
  ///   - times: In microseconds since 1970.
  ///   - isWanted: Selects the signals whose inputs are returned.
  package init(of folder: FolderReader, in times: ClosedRange<Int64>, where isWanted: @escaping (String) -> Bool) {
    self.folder = folder
    self.times = times
    self.isWanted = isWanted
  }

  /// Returns the snapshots that precede the requested parts, oldest first.
  package func parts() throws(StorageError) -> [StateStatistics.Mark] {
    let marks = try folder.snapshots()
    let first = marks.lastIndex { $0.time <= times.lowerBound } ?? 0
    return marks[min(first, marks.count)...].filter { $0.time <= times.upperBound }
  }

  /// Returns the lines between a snapshot and the next one.
  ///
  /// The graphs are replayed: the input from files and programs is determined by its effects.
  package mutating func lines(behind mark: StateStatistics.Mark) throws(StorageError) -> [[UInt8]] {
    let (folder, gatherer) = (folder, Gatherer(times, isWanted))
    let names = try folder.atOneMoment { () throws(StorageError) -> [String] in
      // It may have been deleted meanwhile, together with the commits after it.
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

/// Collects the inputs of graphs during replay.
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
      // Input from files, programs and buses; sent values are recorded as they enter.
      let isNotedBefore = signal.acceptsValues && !signal.hasVoiceOutside
      if !isNotedBefore, !signal.declaration.isMadeWithin { add(signal.name) { release(event, $0) } }
    }
  }

  private func note(_ entry: Entry, in durable: DurableRuntime) {
    func name(_ place: UInt32) -> String { durable.places[Int(place)].name }
    // The value is sent to a bus, and the result arrives as an event later.
    func isAsked(_ place: UInt32) -> Bool { durable.places[Int(place)].hasVoiceOutside }
    switch entry {
    case .value(_, let place, _) where isAsked(place), .values(_, let place, _) where isAsked(place): break
    case .value(let value, let place, _): add(name(place)) { line($0, ("value", value.value)) }
    case .values(let values, let place, _):
      for value in values { add(name(place)) { line($0, ("value", value.value)) } }
    case .ending(let ending, let place, _): add(name(place)) { end($0, ending) }
    case .crossing(let event, let place): add(name(place)) { release(event, $0) }
    case .restart(let places):
      for place in places { add(name(place)) { line($0, ("event", "subscribed")) } }
    case .timers, .listening, .world, .content, .appended, .replaced, .progress: break
    }
  }

  private func add(_ name: String, _ line: (String) -> [UInt8]) {
    if times.contains(time), isWanted(name) { lines.append(line(name)) }
  }

  /// Returns the line that a subscriber would have received.
  private func release(_ event: SignalEvent, _ name: String) -> [UInt8] {
    SimulatedEvent(time: .moment(microseconds: time), signal: name, event: event).line
  }

  private func end(_ name: String, _ ending: SignalEnding) -> [UInt8] { release(.ended(ending), name) }

  /// Returns the line that a client would send.
  private func line(_ name: String, _ member: (String, JSONValue)) -> [UInt8] {
    let at = RecordedTime.moment(microseconds: time)
    let members: [(String, JSONValue)] = [("at", .string("\(at)")), ("signal", .string(name)), member]
    return JSONValue.object(JSONObject(members)).json
  }
}
