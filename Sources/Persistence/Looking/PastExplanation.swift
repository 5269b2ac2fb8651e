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

  /// Explains a value; of a signal that has ended, the end where its latest word is asked for.
  ///
  /// - Parameters:
  ///   - depth: How many steps back the things are followed that were only read for it.
  ///   - verifies: Whether it is tried if the value comes again of what it needs alone.
  package func explanation(
    _ target: Target, depth: Int, verifies: Bool
  ) throws(Refusal) -> PastExplanation {
    if case .latest = target, let (time, mark) = try ending() {
      let span = try span(behind: mark) { replay in
        var isThere = false
        replay.durable.emissions.observer = { [signal, unowned durable = replay.durable] event, place in
          guard case .ended = event, durable.places[place].name == signal else { return }
          isThere = isThere || durable.time.microseconds == time
        }
        return { isThere }
      }
      if let past = try explanation(.ending, span, depth, verifies) { return past }
      throw .noValue("\(signal) has ended at \(Self.text(time)), when the graphs were started or reloaded")
    }
    let (number, mark) = try find(target)
    let span = try span(behind: mark) { replay in
      var isThere = false
      listen(to: replay) { isThere = isThere || $0.sequence >= number }
      return { isThere }
    }
    if let past = try explanation(.number(number), span, depth, verifies) { return past }
    return try explanationOfStart(number, span)
  }

  private func explanation(
    _ target: Explainer.Target, _ span: PastSpan, _ depth: Int, _ verifies: Bool
  ) throws(Refusal) -> PastExplanation? {
    let explainer = explainer(target, span)
    return try Self.reading { () throws(StorageError) -> PastExplanation? in
      let workOut = { (watch: Watch, isOver: () -> Bool) throws(StorageError) in
        try span.workOut(watch, until: isOver)
      }
      guard var explanation = try explainer.explanation(depth: depth, workOut) else { return nil }
      explanation.needed = try explainer.needed(workOut)
      var isVerified: Bool?
      if verifies {
        isVerified = try isSame(explanation, explainer, span)
        if isVerified == false {
          explanation.needed = try explainer.allNeeded(workOut)
          isVerified = try isSame(explanation, explainer, span)
        }
        // Other things may have kept a signal from ending before, by a timeout perhaps.
        if isVerified == false {
          explanation.needed = Array(0..<explanation.entries)
          isVerified = try isSame(explanation, explainer, span)
        }
      }
      let told = explanation.mentionedEntries.union(explanation.needed)
      return PastExplanation(
        explanation: explanation, origins: try origins(of: told, span), beginning: span.begins,
        isVerified: isVerified, configuration: span.stored.configuration)
    }
  }

  /// What is known of a value that came about when the graphs were started or reloaded.
  private func explanationOfStart(_ number: UInt64, _ span: PastSpan) throws(Refusal) -> PastExplanation {
    let value = try valueOfStart(number)
    let explanation = Explanation(
      startOf: signal, .next(value.payload, sequence: number), microseconds: value.microseconds,
      DeclarationsInView(span.stored.configuration, StepPlaces()))
    return PastExplanation(
      explanation: explanation, origins: [0: EntryOrigin(.start)], beginning: value.microseconds, isVerified: nil,
      configuration: span.stored.configuration)
  }

  /// Explains a silence.
  package func silence(at moment: Int64) throws(Refusal) -> PastSilence {
    guard let mark = marks.lastIndex(where: { $0.time <= moment }) else {
      throw .noValue("the past goes back to \(Self.text(marks[0].time)) only")
    }
    try ensurePresence(at: mark)
    let span = try span(behind: mark) { replay in
      var entriesBehind = 0
      return { [unowned replay] in
        if replay.durable.time.microseconds > moment { entriesBehind += 1 }
        return entriesBehind > Self.entriesBehind
      }
    }
    let explainer = explainer(.last, span)
    return try Self.reading { () throws(StorageError) in
      let silence = try explainer.silence(around: moment, before: 3, after: 1) { watch throws(StorageError) in
        try span.workOut(watch)
      }
      return PastSilence(
        silence: silence, origins: try origins(of: Set(silence.turns.map(\.entry)), span),
        configuration: span.stored.configuration)
    }
  }

  private func explainer(_ target: Explainer.Target, _ span: PastSpan) -> Explainer {
    Explainer(
      signal, target, DeclarationsInView(span.stored.configuration.durablePart, span.stored.stepPlaces))
  }

  private func origins(of numbers: Set<Int>, _ span: PastSpan) throws(StorageError) -> [Int: EntryOrigin] {
    let names = try span.beginning(nil).durable.places.map(\.name)
    var origins: [Int: EntryOrigin] = [:]
    for number in numbers { origins[number] = EntryOrigin(span.recorded[number], names) }
    return origins
  }

  /// Whether the value comes again where only what it needs enters, and time goes on as it did.
  private func isSame(
    _ explanation: Explanation, _ explainer: Explainer, _ span: PastSpan
  ) throws(StorageError) -> Bool {
    let needed = Set(explanation.needed)
    return try explainer.isSame(explanation) { watch throws(StorageError) in
      try span.workOut(watch) { number in
        let isTime = if case .timers = span.recorded[number].entry { true } else { false }
        return isTime || needed.contains(number)
      }
    }
  }
}

extension EntryOrigin {
  /// - Parameter names: Those of all signals, by their places.
  init(_ recorded: PastSpan.Recorded, _ names: [String]) {
    func name(_ place: UInt32) -> String? { names.indices.contains(Int(place)) ? names[Int(place)] : nil }
    let user = recorded.sender?.userID
    let connection = recorded.sender.map { "\($0.connection)" }
    switch recorded.entry {
    case .value(_, let place, _), .values(_, let place, _):
      self.init(.sent, signal: name(place), user: user, connection: connection)
    case .ending(_, let place, _): self.init(.ended, signal: name(place), user: user, connection: connection)
    case .timers: self.init(.timers)
    case .crossing(_, let place): self.init(.crossing, signal: name(place))
    case .listening(_, let place): self.init(.listening, signal: name(place))
    case .restart(let places):
      self.init(
        .restart, signal: places.compactMap(name).joined(separator: ", "), user: user, connection: connection)
    case .world, .content, .appended: self.init(.world)
    }
  }
}
