import JSON
package import ReactiveCore

/// Watches graphs at work: each thing that passes a place of a declaration is noted, with what it happened within.
///
/// Graphs that nobody watches are built without any of this. Everything is numbered in the order in which it happens,
/// so that the same things have the same numbers when all is worked out again.
package final class Watch {
  /// A place of a declaration, in one of its bodies.
  struct Place: Hashable {
    let signal: String
    /// The number of the body, counted in the order in which bodies were made; 0 stands for the signal itself.
    let body: Int
    /// See `Ranks`.
    let index: Int
  }

  /// A place, and something that happened right after it was looked at.
  struct Look: Hashable {
    let place: Int
    let happening: Int
  }

  /// How many happenings are kept: at least as many, the latest ones.
  package static let limit = 500_000

  private(set) var places: [Place] = []
  private var numbers: [Place: Int] = [:]
  private var log: [Happening] = []
  /// The number of the first happening that is kept.
  private(set) var first = 0
  /// What each place has put out, and each signal has told, oldest first.
  private var events: [Int: [Int]] = [:]
  /// When something was worked out at each place of its own accord: a join or a timer.
  private var workings: [Int: [Int]] = [:]
  private var frames: [Int] = []
  /// The bodies within bodies, by the numbers of both.
  private var runs: [Int: [Int]] = [:]
  /// The body that each of those is within.
  private var parents: [Int: Int] = [:]
  /// The happenings within which bodies were made, by their numbers.
  var origins: [Int: Int] = [:]
  private var bodyNumbers: [ObjectIdentifier: Int] = [:]
  private var bodyCount = 0
  /// Looks at what each place remembers that remembers anything.
  var lookouts: [Int: () -> [JSONValue?]] = [:]
  /// The timers that were set at each place, and within what, oldest first.
  private var timers: [Int: [(setter: Int, due: Instant)]] = [:]
  /// The places that are to be looked at, by the happening right before which that is.
  private let wanted: [Int: [Int]]
  /// What they remembered.
  private(set) var remembered: [Look: [JSONValue?]] = [:]
  private let limit: Int
  private weak var engine: GraphEngine?
  /// The last values that signals had told before all that is watched.
  private(set) var earlier: [String: Earlier] = [:]

  /// A value that was told before.
  struct Earlier {
    let event: SignalEvent
    /// Since 1970.
    let microseconds: Int64
  }

  package convenience init() { self.init(looking: []) }

  /// - Parameter looks: The looks that are to be taken on the way.
  init(looking looks: Set<Look>, limit: Int = Watch.limit) {
    wanted = Dictionary(grouping: looks, by: \.happening).mapValues { $0.map(\.place) }
    self.limit = limit
  }

  /// Watches what an engine runs from now on.
  func begin(_ engine: GraphEngine) { self.engine = engine }

  /// Takes note of what signals hold that have run before.
  package func begin(with signals: [RunningSignal]) {
    for signal in signals {
      guard let entry = signal.retained.latest(1).first, let time = signal.lastTime else { continue }
      earlier[signal.name] = Earlier(event: .next(entry.payload, sequence: entry.sequence), microseconds: time)
    }
  }

  // MARK: What has happened

  /// The number behind that of the last happening.
  var end: Int { first + log.count }

  /// A happening, if it is still kept.
  subscript(number: Int) -> Happening? { number >= first && number < end ? log[number - first] : nil }

  /// What a place has put out, or a signal as a whole has told, oldest first.
  func events(of place: Int) -> [Int] { events[place] ?? [] }

  /// Whether a place remembers more than which of its inputs have ended.
  func remembersAnything(at place: Int) -> Bool { lookouts[place] != nil }

  /// When something was worked out at a place of its own accord, a join or a timer, oldest first.
  func workings(of place: Int) -> [Int] { workings[place] ?? [] }

  func number(of place: Place) -> Int? { numbers[place] }

  // MARK: Noting

  /// Has `body` happen within something that enters.
  ///
  /// - Parameters:
  ///   - entry: A number that says which.
  ///   - time: When it enters, by the graphs' clock and since 1970, if that is later than what the clock shows.
  package func enter<Result, Failure: Error>(
    _ entry: Int, at time: (Instant, microseconds: Int64)? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    entryCount += 1
    return try within(note(.entry(entry), at: nil, time: time), body)
  }

  /// What is happening now.
  var top: Int? { frames.last }

  private(set) var entryCount = 0

  func within<Result, Failure: Error>(
    _ number: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    frames.append(number)
    defer { frames.removeLast() }
    return try body()
  }

  /// Takes note of something that is about to happen.
  func note(
    _ kind: Happening.Kind, at place: Int?, others: [Int] = [], time: (Instant, microseconds: Int64)? = nil
  ) -> Int {
    let number = end
    let time = time ?? (engine?.clock.now ?? .zero, engine?.clock.microseconds ?? 0)
    log.append(
      Happening(
        kind: kind, place: place, cause: top, others: others, instant: time.0, microseconds: time.microseconds))
    if let place {
      switch kind {
      case .output, .told: events[place, default: []].append(number)
      case .joined, .timer: workings[place, default: []].append(number)
      case .entry, .refused, .sent: break
      }
    }
    for place in wanted[number] ?? [] {
      remembered[Look(place: place, happening: number)] = lookouts[place]?() ?? []
    }
    if log.count >= 2 * limit { forget() }
    return number
  }

  /// Takes note of a timer that is set now.
  func noteTimer(of place: Int, due: Instant) {
    // Those that are set while the graphs are built come before everything.
    timers[place, default: []].append((top ?? -1, due))
  }

  /// When a place goes on by itself with something that it was given.
  func due(at place: Int, after number: Int) -> Instant? {
    let timer = timers[place]?.last { $0.setter <= number }
    return timer.flatMap { timer in self[number].flatMap { timer.due > $0.instant ? timer.due : nil } }
  }

  /// Forgets the older half.
  private func forget() {
    log.removeFirst(limit)
    first += limit
    timers = timers.mapValues { $0.filter { $0.setter >= first || $0.setter == -1 } }
    events = events.mapValues(kept)
    workings = workings.mapValues(kept)
  }

  private func kept(_ numbers: [Int]) -> [Int] {
    Array(numbers[(numbers.firstIndex { $0 >= first } ?? numbers.count)...])
  }

  /// The number of a place, which it is given when it is first asked for.
  func place(_ signal: String, body: Int, index: Int) -> Int {
    let place = Place(signal: signal, body: body, index: index)
    if let number = numbers[place] { return number }
    places.append(place)
    numbers[place] = places.count - 1
    return places.count - 1
  }

  /// Gives a body the next number.
  func countBody(_ body: RunningBody) -> Int {
    bodyCount += 1
    bodyNumbers[ObjectIdentifier(body)] = bodyCount
    return bodyCount
  }

  /// Notes that a body is within another one.
  func note(_ body: Int, within parent: Int) {
    runs[parent, default: []].append(body)
    parents[body] = parent
  }

  /// A body, and those from which it can be given something: the ones within it, and the one that it is within.
  func bodies(around body: Int) -> [Int] { [body] + (runs[body] ?? []) + (parents[body].map { [$0] } ?? []) }

  func number(of body: RunningBody) -> Int { bodyNumbers[ObjectIdentifier(body)] ?? 0 }
}
