package import GraphModel
package import JSON
package import Signals

/// The reasons for a signal's silence: the furthest progress of the inputs since its last value.
package struct Silence {
  /// An input, the one with the furthest progress among those that ended at the same place.
  package struct Turn {
    package let entry: Int
    package let instant: Instant
    /// Since 1970.
    package let microseconds: Int64
    /// The places where it ended, nearest to the signal first.
    package internal(set) var stops: [Stop] = []
    /// The number of earlier inputs that ended at the first of these places.
    package internal(set) var others = 0
    /// The signal's event after all.
    package internal(set) var emitted: SignalEvent?
  }

  /// The place where an input ended.
  package struct Stop {
    package enum Outcome {
      case nothing
      /// It continues at that moment.
      case waits(until: Instant)
      case refused(SignalFailure)
    }

    package let signal: String
    package let step: String
    package let place: DeclarationPlace?
    /// The value that was not forwarded.
    package let value: JSONValue
    package let outcome: Outcome
    /// The values in its memory.
    package let remembered: [JSONValue]
  }

  /// The input nearest to the signal first, then those after the requested moment.
  package internal(set) var turns: [Turn] = []
}

/// Finds the inputs around a moment and the places where they ended.
struct SilenceBuilder {
  private let recorder: ProvenanceRecorder
  private let declarations: DeclarationsInView
  private let signal: String
  /// The upstream signals, by the number of signals between.
  private let distances: [String: Int]
  private(set) var looks: Set<ProvenanceRecorder.Look> = []

  init(_ recorder: ProvenanceRecorder, _ declarations: DeclarationsInView, of signal: String) {
    (self.recorder, self.declarations, self.signal) = (recorder, declarations, signal)
    distances = declarations.distances(to: signal)
  }

  /// - Parameters:
  ///   - microseconds: The moment, since 1970.
  ///   - before: The maximum number of inputs up to it.
  ///   - after: The maximum number of later inputs.
  mutating func silence(around microseconds: Int64, before: Int, after: Int) -> Silence {
    var entries: [Int] = []
    for number in recorder.first..<recorder.end where isOfContributor(number) {
      if let entry = recorder.entryRecord(of: number), entries.last != entry { entries.append(entry) }
    }
    let count = entries.prefix { (recorder[$0]?.microseconds ?? 0) <= microseconds }.count
    var turns = nearest(entries.prefix(count), before)
    turns += entries[count...].prefix(after).map { turn(Walk(of: $0, in: recorder)) }
    return Silence(turns: turns)
  }

  /// Returns the inputs nearest to the signal since its last value, one for each place where they ended.
  private mutating func nearest(_ entries: ArraySlice<Int>, _ limit: Int) -> [Silence.Turn] {
    var found: [Stopping: (walk: Walk, others: Int)] = [:]
    for entry in entries.reversed() {
      let walk = Walk(of: entry, in: recorder)
      if walk.numbers.contains(where: isEventOfSignal) {
        // Without newer inputs, the latest one and its event are reported.
        return found.isEmpty ? [turn(walk)] : turns(found, limit)
      }
      guard let stopping = walk.numbers.compactMap({ stopping(at: $0, walk) }).min() else { continue }
      found[stopping, default: (walk, -1)].others += 1
    }
    return turns(found, limit)
  }

  private mutating func turns(_ found: [Stopping: (walk: Walk, others: Int)], _ limit: Int) -> [Silence.Turn] {
    let nearest = found.sorted { ($0.key, -$0.value.walk.entry) < ($1.key, -$1.value.walk.entry) }.prefix(limit)
    return nearest.map { element in
      var turn = turn(element.value.walk)
      turn.others = element.value.others
      return turn
    }
  }

  private func isOfContributor(_ number: Int) -> Bool {
    recorder[number]?.place.map { distances[recorder.places[$0].signal] != nil } ?? false
  }

  private func isEventOfSignal(_ number: Int) -> Bool {
    guard let record = recorder[number], case .emitted = record.kind, let place = record.place else { return false }
    return recorder.places[place].signal == signal
  }

  private mutating func turn(_ walk: Walk) -> Silence.Turn {
    let record = recorder[walk.entry]
    var number = 0
    if case .entry(let entry)? = record?.kind { number = entry }
    var turn = Silence.Turn(
      entry: number, instant: record?.instant ?? .zero, microseconds: record?.microseconds ?? 0)
    turn.emitted = walk.numbers.last(where: isEventOfSignal).flatMap { recorder[$0]?.event }
    let stoppings = walk.numbers.compactMap { number in stopping(at: number, walk).map { (number, $0) } }
    for (number, stopping) in stoppings.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
      if let stop = stop(number, stopping) { turn.stops.append(stop) }
    }
    return turn
  }

  /// Returns the place where an upstream record had no further effect.
  private func stopping(at number: Int, _ walk: Walk) -> Stopping? {
    guard let record = recorder[number], let place = record.place else { return nil }
    let at = recorder.places[place]
    guard let distance = distances[at.signal], let steps = declarations.steps(of: at.signal) else { return nil }
    var isRefused = false
    for child in walk.children[number] ?? [] {
      // Rejections are published by the daemon's own signals.
      guard let child = recorder[child], child.place.map({ recorder.places[$0].signal == at.signal }) ?? false else {
        continue
      }
      if case .refused = child.kind { isRefused = true } else { return nil }
    }
    let index: Int?
    switch record.kind {
    case .output where record.value != nil: index = steps.downstream[at.index]
    case .joined: index = at.index
    default: return nil
    }
    guard let index, steps.name(index) != nil else { return nil }
    return Stopping(
      signals: distance, steps: steps.count(behind: index), signal: at.signal, index: index, isRefused: isRefused)
  }

  private mutating func stop(_ number: Int, _ stopping: Stopping) -> Silence.Stop? {
    guard let record = recorder[number], let place = record.place else { return nil }
    let (at, index) = (recorder.places[place], stopping.index)
    let given = if case .joined = record.kind { record.others.last.flatMap { recorder[$0] } } else { record }
    guard let value = given?.value, let step = declarations.steps(of: at.signal)?.name(index) else { return nil }
    let due = recorder.number(of: ProvenanceRecorder.Place(signal: at.signal, body: 0, index: index)).flatMap {
      recorder.due(at: $0, after: number)
    }
    let refusal = stopping.isRefused ? recorder.refusal(within: number) : nil
    let outcome: Silence.Stop.Outcome = refusal.map { .refused($0) } ?? due.map { .waits(until: $0) } ?? .nothing
    return Silence.Stop(
      signal: at.signal, step: step, place: declarations.place(of: at.signal, step: index), value: value,
      outcome: outcome, remembered: memory(index, at, before: number))
  }

  private mutating func memory(_ index: Int, _ at: ProvenanceRecorder.Place, before number: Int) -> [JSONValue] {
    guard let place = recorder.number(of: ProvenanceRecorder.Place(signal: at.signal, body: at.body, index: index)),
      recorder.remembersAnything(at: place)
    else { return [] }
    let look = ProvenanceRecorder.Look(place: place, record: number)
    looks.insert(look)
    return recorder.remembered[look]?.compactMap { $0 } ?? []
  }
}

/// A place where an input ended; places nearer to the signal sort first.
private struct Stopping: Hashable, Comparable {
  /// The numbers of downstream signals and operators.
  let signals: Int
  let steps: Int
  let signal: String
  let index: Int
  let isRefused: Bool

  static func < (one: Stopping, other: Stopping) -> Bool {
    (one.signals, one.steps, one.signal, one.index) < (other.signals, other.steps, other.signal, other.index)
  }
}

/// All records within one entry.
private struct Walk {
  let entry: Int
  let numbers: Range<Int>
  /// The effects of each record.
  private(set) var children: [Int: [Int]] = [:]

  init(of entry: Int, in recorder: ProvenanceRecorder) {
    self.entry = entry
    var end = entry + 1
    while end < recorder.end, recorder[end]?.cause != nil { end += 1 }
    numbers = entry..<end
    for number in numbers {
      guard let record = recorder[number] else { continue }
      for cause in record.others + (record.cause.map { [$0] } ?? []) {
        children[cause, default: []].append(number)
      }
    }
  }
}

extension Explainer {
  /// Returns the reasons for a signal's silence around a moment.
  ///
  /// - Parameters:
  ///   - workOut: See `explanation`.
  package func silence<Failure: Error>(
    around microseconds: Int64, before: Int, after: Int,
    _ workOut: (_ recorder: ProvenanceRecorder) throws(Failure) -> Void
  ) throws(Failure) -> Silence {
    let first = ProvenanceRecorder()
    try workOut(first)
    var builder = SilenceBuilder(first, declarations, of: signal)
    _ = builder.silence(around: microseconds, before: before, after: after)
    let second = ProvenanceRecorder(looking: builder.looks)
    try workOut(second)
    builder = SilenceBuilder(second, declarations, of: signal)
    return builder.silence(around: microseconds, before: before, after: after)
  }
}
