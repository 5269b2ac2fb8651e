package import GraphEngine
import GraphModel
import JSON
package import Signals

/// Records running graphs: each event at a place of a declaration, with its cause.
///
/// Unwatched graphs are built without any instrumentation. Records are numbered in order, so that the numbers agree
/// between replays.
package final class ProvenanceRecorder {
  /// A place of a declaration, in one of its bodies.
  struct Place: Hashable {
    let signal: String
    /// The number of the body, in the order of creation; 0 is the signal itself.
    let body: Int
    /// See `Ranks`.
    let index: Int
  }

  /// A memory sample: a place, and the record right before which it is taken.
  struct Look: Hashable {
    let place: Int
    let record: Int
  }

  /// The minimum number of latest records kept.
  package static let limit = 500_000

  private(set) var places: [Place] = []
  private var numbers: [Place: Int] = [:]
  private var log: [ProvenanceRecord] = []
  /// The number of the first record kept.
  private(set) var first = 0
  /// The outputs of each place and the events of each signal, oldest first.
  private var events: [Int: [Int]] = [:]
  /// The evaluations of each place by a join or a timer.
  private var workings: [Int: [Int]] = [:]
  private var frames: [Int] = []
  /// The nested bodies, by number.
  private var runs: [Int: [Int]] = [:]
  /// The parents of nested bodies.
  private var parents: [Int: Int] = [:]
  /// The records that created bodies, by the body's number.
  var origins: [Int: Int] = [:]
  private var bodyNumbers: [ObjectIdentifier: Int] = [:]
  private var bodyCount = 0
  /// Functions that sample the memory of each place that has one.
  var lookouts: [Int: () -> [JSONValue?]] = [:]
  /// The timers set at each place and their causes, oldest first.
  private var timers: [Int: [(setter: Int, due: Instant)]] = [:]
  /// The places to sample, by the record right after the sample.
  private let wanted: [Int: [Int]]
  /// The samples taken.
  private(set) var remembered: [Look: [JSONValue?]] = [:]
  private let limit: Int
  private weak var engine: GraphEngine?
  /// The last values that signals emitted before the recording.
  private(set) var earlier: [String: Earlier] = [:]

  /// A value emitted before the recording.
  struct Earlier {
    let event: SignalEvent
    /// Since 1970.
    let microseconds: Int64
  }

  package convenience init() { self.init(looking: []) }

  /// - Parameter looks: The samples to take during the recording.
  init(looking looks: Set<Look>, limit: Int = ProvenanceRecorder.limit) {
    wanted = Dictionary(grouping: looks, by: \.record).mapValues { $0.map(\.place) }
    self.limit = limit
  }

  /// Starts recording an engine.
  package func begin(_ engine: GraphEngine) { self.engine = engine }

  /// Records the values held by signals that are already running.
  package func begin(with signals: [RunningSignal]) {
    for signal in signals {
      guard let entry = signal.retained.latest(1).first, let time = signal.lastTime else { continue }
      earlier[signal.name] = Earlier(event: .next(entry.payload, sequence: entry.sequence), microseconds: time)
    }
  }

  // MARK: Records

  /// The number after that of the last record.
  var end: Int { first + log.count }

  /// A record, if it is still kept.
  subscript(number: Int) -> ProvenanceRecord? { number >= first && number < end ? log[number - first] : nil }

  /// Returns the outputs of a place, or the events of a whole signal, oldest first.
  func events(of place: Int) -> [Int] { events[place] ?? [] }

  /// Returns true if a place has state beyond the endings of its inputs.
  func remembersAnything(at place: Int) -> Bool { lookouts[place] != nil }

  /// Returns the evaluations of a place by a join or a timer, oldest first.
  func workings(of place: Int) -> [Int] { workings[place] ?? [] }

  func number(of place: Place) -> Int? { numbers[place] }

  // MARK: Recording

  /// Records an entry and everything in `body` as its effects.
  ///
  /// - Parameters:
  ///   - entry: The number of the entry.
  ///   - time: Its time, by the graphs' clock and since 1970, if later than the clock.
  package func enter<Result, Failure: Error>(
    _ entry: Int, at time: (Instant, microseconds: Int64)? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    entryCount += 1
    return try within(note(.entry(entry), at: nil, time: time), body)
  }

  /// The current record.
  var top: Int? { frames.last }

  private(set) var entryCount = 0

  func within<Result, Failure: Error>(
    _ number: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    frames.append(number)
    defer { frames.removeLast() }
    return try body()
  }

  /// Appends a record; its effects follow.
  func note(
    _ kind: ProvenanceRecord.Kind, at place: Int?, others: [Int] = [], time: (Instant, microseconds: Int64)? = nil
  ) -> Int {
    let number = end
    let time = time ?? (engine?.clock.now ?? .zero, engine?.clock.microseconds ?? 0)
    log.append(
      ProvenanceRecord(
        kind: kind, place: place, cause: top, others: others, instant: time.0, microseconds: time.microseconds))
    if let place {
      switch kind {
      case .output, .emitted: events[place, default: []].append(number)
      case .joined, .timer: workings[place, default: []].append(number)
      case .entry, .refused, .sent: break
      }
    }
    for place in wanted[number] ?? [] {
      remembered[Look(place: place, record: number)] = lookouts[place]?() ?? []
    }
    if log.count >= 2 * limit { discard() }
    return number
  }

  /// Records a timer that is set now.
  func noteTimer(of place: Int, due: Instant) {
    // Timers set while the graphs are built precede everything.
    timers[place, default: []].append((top ?? -1, due))
  }

  /// Returns the time at which a place continues by itself after a record.
  func due(at place: Int, after number: Int) -> Instant? {
    let timer = timers[place]?.last { $0.setter <= number }
    return timer.flatMap { timer in self[number].flatMap { timer.due > $0.instant ? timer.due : nil } }
  }

  /// Drops the older half of the recording.
  private func discard() {
    log.removeFirst(limit)
    first += limit
    timers = timers.mapValues { $0.filter { $0.setter >= first || $0.setter == -1 } }
    events = events.mapValues(kept)
    workings = workings.mapValues(kept)
  }

  private func kept(_ numbers: [Int]) -> [Int] {
    Array(numbers[(numbers.firstIndex { $0 >= first } ?? numbers.count)...])
  }

  /// Returns the number of a place, assigned on first use.
  func place(_ signal: String, body: Int, index: Int) -> Int {
    let place = Place(signal: signal, body: body, index: index)
    if let number = numbers[place] { return number }
    places.append(place)
    numbers[place] = places.count - 1
    return places.count - 1
  }

  /// Assigns the next number to a body.
  func countBody(_ body: RunningBody) -> Int {
    bodyCount += 1
    bodyNumbers[ObjectIdentifier(body)] = bodyCount
    return bodyCount
  }

  /// Records that a body is nested in another one.
  func note(_ body: Int, within parent: Int) {
    runs[parent, default: []].append(body)
    parents[body] = parent
  }

  /// Returns a body and those that can feed it: its nested bodies and its parent.
  func bodies(around body: Int) -> [Int] { [body] + (runs[body] ?? []) + (parents[body].map { [$0] } ?? []) }

  func number(of body: RunningBody) -> Int { bodyNumbers[ObjectIdentifier(body)] ?? 0 }
}
