import Journal
package import SignalGraph

/// How a value of the past came about.
package struct PastExplanation {
  package let explanation: Explanation
  /// What the entries were that it tells of.
  package let origins: [Int: EntryOrigin]
  /// The moment before which nothing was worked out, in microseconds since 1970.
  package let beginning: Int64
  /// Whether it comes again of what it needs alone; `nil` where that was not tried.
  package let isVerified: Bool?
  /// The configuration that ran then.
  package let configuration: Configuration
}

/// Why a signal told nothing in the past.
package struct PastSilence {
  package let silence: Silence
  package let origins: [Int: EntryOrigin]
  /// The configuration that ran then.
  package let configuration: Configuration
}

extension LookingBack {
  /// How many things that entered after the moment are worked out, to tell of the first that mattered.
  private static let entriesBehind = 1000

  /// Explains a value.
  ///
  /// - Parameters:
  ///   - depth: How many steps back the things are followed that were only read for it.
  ///   - verifies: Whether it is tried if the value comes again of what it needs alone.
  package func explanation(
    _ target: Target, depth: Int, verifies: Bool
  ) throws(Refusal) -> PastExplanation {
    let (number, mark) = try find(target)
    let span = try span(behind: mark, lead: depth + 1)
    let stored = try stored(span)
    let explainer = Explainer(
      signal, .number(number), DeclarationsInView(stored.configuration.durablePart, stored.stepPlaces))
    let past = try Self.reading { () throws(StorageError) -> PastExplanation? in
      let workOut = { (watch: Watch, isOver: () -> Bool) throws(StorageError) in
        try span.workOut(watch) { _ in isOver() }
      }
      guard var explanation = try explainer.explanation(depth: depth, workOut) else { return nil }
      var isVerified: Bool?
      if verifies {
        isVerified = try isSame(explanation, explainer, span)
        if isVerified == false {
          explanation.needed = try explainer.allNeeded(workOut)
          isVerified = try isSame(explanation, explainer, span)
        }
      }
      let wanted = explanation.mentionedEntries.union(explanation.needed)
      return PastExplanation(
        explanation: explanation, origins: try origins(of: wanted, span), beginning: span.begins,
        isVerified: isVerified, configuration: stored.configuration)
    }
    guard let past else { throw .noValue("\(signal) has told no value \(number)") }
    return past
  }

  /// Explains a silence.
  package func silence(at moment: Int64) throws(Refusal) -> PastSilence {
    guard let mark = marks.lastIndex(where: { $0.time <= moment }) else {
      throw .noValue("the past goes back to \(Self.text(marks[0].time)) only")
    }
    let span = try span(behind: mark, lead: 1)
    let stored = try stored(span)
    let explainer = Explainer(
      signal, .last, DeclarationsInView(stored.configuration.durablePart, stored.stepPlaces))
    return try Self.reading { () throws(StorageError) in
      let silence = try explainer.silence(around: moment, before: 3, after: 1) { watch throws(StorageError) in
        var last: Int?
        try span.workOut(watch) { replay in
          if last == nil, replay.durable.time.microseconds > moment { last = replay.entryCount + Self.entriesBehind }
          return last.map { replay.entryCount >= $0 } ?? false
        }
      }
      return PastSilence(
        silence: silence, origins: try origins(of: Set(silence.turns.map(\.entry)), span),
        configuration: stored.configuration)
    }
  }

  /// The configuration under which a span was written.
  private func stored(_ span: PastSpan) throws(Refusal) -> StoredConfiguration {
    try Self.reading { () throws(StorageError) in try span.stored() }
  }

  private func origins(of wanted: Set<Int>, _ span: PastSpan) throws(StorageError) -> [Int: EntryOrigin] {
    var origins: [Int: EntryOrigin] = [:]
    guard let last = wanted.max() else { return [:] }
    try span.workOut(
      begin: { replay in
        replay.onEntry = { [unowned replay] entry, _ in
          if wanted.contains(replay.entryCount) { origins[replay.entryCount] = EntryOrigin(entry, in: replay) }
        }
      }, until: { $0.entryCount > last })
    return origins
  }

  // MARK: Trying it

  /// Something that entered, with what was read of files for it.
  private struct Recorded {
    let number: Int
    let entry: Entry
    let time: EntryTime
    let contents: [[UInt8]?]
  }

  /// Whether the value comes again where only what it needs enters, and time goes on as it did.
  private func isSame(
    _ explanation: Explanation, _ explainer: Explainer, _ span: PastSpan
  ) throws(StorageError) -> Bool {
    let needed = Set(explanation.needed)
    var recorded: [Recorded] = []
    try span.workOut(
      begin: { replay in
        replay.onDone = { [unowned replay] entry, time, contents in
          let number = replay.entryCount - 1
          let isTime = if case .timers = entry { true } else { false }
          if number < explanation.entries, isTime || needed.contains(number) {
            recorded.append(Recorded(number: number, entry: entry, time: time, contents: contents))
          }
        }
      }, until: { $0.entryCount >= explanation.entries })
    return try explainer.isSame(explanation) { watch throws(StorageError) in
      let replay = try span.beginning(watch)
      for step in recorded {
        replay.perform(step.entry, at: step.time, numbered: step.number, reading: step.contents)
      }
    }
  }
}

extension EntryOrigin {
  /// That of an entry which is about to be worked out.
  init(_ entry: Entry, in replay: Replay) {
    func name(_ place: UInt32) -> String? {
      let places = replay.durable.places
      return places.indices.contains(Int(place)) ? places[Int(place)].name : nil
    }
    switch entry {
    case .value(_, let place, _), .values(_, let place, _): self.init(.sent, signal: name(place))
    case .ending(_, let place, _): self.init(.ended, signal: name(place))
    case .timers: self.init(.timers)
    case .crossing(_, let place): self.init(.crossing, signal: name(place))
    case .listening(_, let place): self.init(.listening, signal: name(place))
    case .restart(let places): self.init(.restart, signal: places.compactMap(name).joined(separator: ", "))
    case .world, .content, .appended: self.init(.world)
    }
  }
}
