package import JSON
package import ReactiveCore

/// Why a signal told nothing: how far that came which entered around a moment.
package struct Silence {
  /// Something that entered.
  package struct Turn {
    package let entry: Int
    package let instant: Instant
    /// Since 1970.
    package let microseconds: Int64
    package internal(set) var stops: [Stop] = []
    /// What the signal told nevertheless.
    package internal(set) var told: SignalEvent?
  }

  /// The place at which it ended.
  package struct Stop {
    package enum Outcome {
      case nothing
      /// It goes on when that moment has come.
      case waits(until: Instant)
      case refused(SignalFailure)
    }

    package let signal: String
    package let step: String
    package let place: DeclarationPlace?
    /// The value that it let through no further.
    package let value: JSONValue
    package let outcome: Outcome
    /// The values that it remembered.
    package let remembered: [JSONValue]
  }

  /// Oldest first.
  package internal(set) var turns: [Turn] = []
}

/// Looks for what entered around a moment, and where it ended.
struct SilenceBuilder {
  private let watch: Watch
  private let declarations: DeclarationsInView
  private let signal: String
  private let contributors: Set<String>
  /// The happenings that others led to.
  private var children: [Int: [Int]] = [:]
  private(set) var looks: Set<Watch.Look> = []

  init(_ watch: Watch, _ declarations: DeclarationsInView, of signal: String) {
    (self.watch, self.declarations, self.signal) = (watch, declarations, signal)
    contributors = declarations.contributors(to: signal)
  }

  /// - Parameters:
  ///   - microseconds: The moment, since 1970.
  ///   - before: How many things that entered up to it are told of.
  ///   - after: How many later ones.
  mutating func silence(around microseconds: Int64, before: Int, after: Int) -> Silence {
    var entries: [Int] = []
    for number in watch.first..<watch.end where isOfContributor(number) {
      if let entry = watch.entryHappening(of: number), entries.last != entry { entries.append(entry) }
    }
    let past = entries.prefix { (watch[$0]?.microseconds ?? 0) <= microseconds }
    let chosen = past.suffix(before) + entries[past.count...].prefix(after)
    return Silence(turns: chosen.map { turn($0) })
  }

  private func isOfContributor(_ number: Int) -> Bool {
    watch[number]?.place.map { contributors.contains(watch.places[$0].signal) } ?? false
  }

  private mutating func turn(_ entry: Int) -> Silence.Turn {
    let happening = watch[entry]
    var number = 0
    if case .entry(let entry)? = happening?.kind { number = entry }
    var turn = Silence.Turn(
      entry: number, instant: happening?.instant ?? .zero, microseconds: happening?.microseconds ?? 0)
    var end = entry + 1
    while end < watch.end, watch[end]?.cause != nil { end += 1 }
    children = [:]
    for number in entry..<end {
      guard let happening = watch[number] else { continue }
      for cause in happening.others + (happening.cause.map { [$0] } ?? []) {
        children[cause, default: []].append(number)
      }
    }
    for number in entry..<end where isOfContributor(number) {
      guard let happening = watch[number] else { continue }
      if case .told(let event) = happening.kind, watch.places[happening.place ?? 0].signal == signal {
        turn.told = event
      }
      if let stop = stop(number, happening) { turn.stops.append(stop) }
    }
    return turn
  }

  /// Where something led to nothing more.
  private mutating func stop(_ number: Int, _ happening: Happening) -> Silence.Stop? {
    guard let place = happening.place else { return nil }
    let at = watch.places[place]
    let steps = declarations.steps(of: at.signal)
    // The daemon's own signals tell of what was refused.
    let kinds = (children[number] ?? []).compactMap { watch[$0] }.filter { child in
      child.place.map { watch.places[$0].signal == at.signal } ?? false
    }.map(\.kind)
    var refusal: SignalFailure?
    for kind in kinds { if case .refused(let refused) = kind { refusal = refused.failure } }
    if kinds.contains(where: { if case .refused = $0 { false } else { true } }) { return nil }
    let index: Int?
    var value = happening.value
    switch happening.kind {
    case .output: index = steps?.listeners[at.index]
    case .joined:
      index = at.index
      value = happening.others.last.flatMap { watch[$0]?.value }
    default: return nil
    }
    guard let value, let index, let step = steps?.name(index) else { return nil }
    let due = watch.number(of: Watch.Place(signal: at.signal, body: 0, index: index)).flatMap {
      watch.due(at: $0, after: number)
    }
    let outcome: Silence.Stop.Outcome = refusal.map { .refused($0) } ?? due.map { .waits(until: $0) } ?? .nothing
    return Silence.Stop(
      signal: at.signal, step: step, place: declarations.place(of: at.signal, step: index), value: value,
      outcome: outcome, remembered: memory(index, at, before: number))
  }

  private mutating func memory(_ index: Int, _ at: Watch.Place, before number: Int) -> [JSONValue] {
    guard let place = watch.number(of: Watch.Place(signal: at.signal, body: at.body, index: index)),
      watch.remembersAnything(at: place)
    else { return [] }
    let look = Watch.Look(place: place, happening: number)
    looks.insert(look)
    return watch.remembered[look]?.compactMap { $0 } ?? []
  }
}

extension Explainer {
  /// Why the signal told nothing around a moment.
  ///
  /// - Parameters:
  ///   - workOut: See `explanation`.
  package func silence<Failure: Error>(
    around microseconds: Int64, before: Int, after: Int, _ workOut: (_ watch: Watch) throws(Failure) -> Void
  ) throws(Failure) -> Silence {
    let first = Watch()
    try workOut(first)
    var builder = SilenceBuilder(first, declarations, of: signal)
    _ = builder.silence(around: microseconds, before: before, after: after)
    let second = Watch(looking: builder.looks)
    try workOut(second)
    builder = SilenceBuilder(second, declarations, of: signal)
    return builder.silence(around: microseconds, before: before, after: after)
  }
}
