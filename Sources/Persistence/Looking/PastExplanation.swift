import GraphEngine
package import GraphModel
package import GraphTools
import JSON
import StateLog

/// The explanation of a past value.
package struct PastExplanation {
  package let explanation: Explanation
  /// The origins of the entries in the explanation.
  package let origins: [Int: EntryOrigin]
  /// The start of the replay, in microseconds since 1970.
  package let beginning: Int64
  /// True if the needed entries alone reproduce the value; `nil` if not verified.
  package let isVerified: Bool?
  /// The number of entries by the operators' declarations, if those do not suffice.
  package let declaredCount: Int?
  /// The configuration at that time.
  package let configuration: Configuration
}

/// The explanation of a signal's past silence.
package struct PastSilence {
  package let silence: Silence
  package let origins: [Int: EntryOrigin]
  /// The configuration at that time.
  package let configuration: Configuration

  fileprivate func hasEarlierTurn(than moment: Int64) -> Bool { silence.turns.contains { $0.microseconds <= moment } }
}

extension LookingBack {
  /// The number of later entries replayed to find the first relevant one.
  private static let entriesBehind = 1000

  /// Explains a value; for a signal that has ended, `latest` explains the end.
  ///
  /// - Parameters:
  ///   - depth: The number of steps back that values only read are followed.
  ///   - verifies: True to verify that the needed entries alone reproduce the value.
  package func explanation(
    _ target: Target, depth: Int, verifies: Bool
  ) throws(Refusal) -> PastExplanation {
    try answering { () throws(Refusal) in try replayedExplanation(target, depth: depth, verifies: verifies) }
  }

  private func replayedExplanation(
    _ target: Target, depth: Int, verifies: Bool
  ) throws(Refusal) -> PastExplanation {
    if case .latest = target, let (time, mark) = try ending() {
      let past = try explanation(.ending, behind: mark, depth, verifies) { replay in
        var isThere = false
        replay.durable.emissions.observer = { [signal, unowned durable = replay.durable] event, place in
          guard case .ended = event, durable.places[place].name == signal else { return }
          isThere = isThere || durable.time.microseconds == time
        }
        return { isThere }
      }.past
      if let past { return past }
      throw .noValue("\(signal) ended at \(Self.text(time)), at a start or reload of the graphs")
    }
    let (number, mark) = try find(target)
    let (past, span) = try explanation(.number(number), behind: mark, depth, verifies) { replay in
      var isThere = false
      listen(to: replay) { isThere = isThere || $0.sequence >= number }
      return { isThere }
    }
    if let past { return past }
    return try explanationOfStart(number, span)
  }

  /// The farthest snapshot before an event at which a replay begins, to trace what was remembered.
  private static let farthestReach = 16

  /// Explains an event after a snapshot; begins earlier and earlier while it depends on something from before the
  /// replay and there are fewer inputs than are traced.
  private func explanation(
    _ target: Explainer.Target, behind mark: Int, _ depth: Int, _ verifies: Bool,
    until isOver: @escaping (Replay) -> () -> Bool
  ) throws(Refusal) -> (past: PastExplanation?, span: PastSpan) {
    var reach = 1
    var span = try span(behind: mark, until: isOver)
    while true {
      let past = try explanation(target, span, depth, verifies)
      let isTraced = past.map { !$0.explanation.reaches(before: span.begins) } ?? true
      reach *= 2
      if isTraced || span.recorded.count >= PastSpan.limit / 2 || reach > Self.farthestReach { return (past, span) }
      let earlier = try self.span(behind: first(behind: mark, reach: reach), until: isOver)
      if earlier.begins >= span.begins { return (past, span) }
      span = earlier
    }
  }

  private func explanation(
    _ target: Explainer.Target, _ span: PastSpan, _ depth: Int, _ verifies: Bool
  ) throws(Refusal) -> PastExplanation? {
    let explainer = explainer(target, span)
    return try Self.reading { () throws(StorageError) -> PastExplanation? in
      let workOut = { (recorder: ProvenanceRecorder, isOver: () -> Bool) throws(StorageError) in
        try span.workOut(recorder, until: isOver)
      }
      guard var explanation = try explainer.explanation(depth: depth, workOut) else { return nil }
      let named = try name(&explanation, explainer, span)
      let mentioned = explanation.mentionedEntries.union(explanation.needed)
      return PastExplanation(
        explanation: explanation, origins: origins(of: mentioned, span), beginning: span.begins,
        isVerified: verifies ? named.suffices : nil, declaredCount: named.declaredCount,
        configuration: span.origin.stored.configuration)
    }
  }

  /// Determines the needed entries: first as few as the operators' declarations imply; if these do not reproduce the
  /// value, all inputs of the operators on its path; then all entries of its upstream signals; finally all entries.
  ///
  /// - Returns: True if the entries reproduce the value, and the number by the declarations if those do not suffice.
  private func name(
    _ explanation: inout Explanation, _ explainer: Explainer, _ span: PastSpan
  ) throws(StorageError) -> (suffices: Bool, declaredCount: Int?) {
    let workOut = { (recorder: ProvenanceRecorder, isOver: () -> Bool) throws(StorageError) in
      try span.workOut(recorder, until: isOver)
    }
    explanation.needed = try explainer.needed(workOut)
    if try isSame(explanation, explainer, span) { return (true, nil) }
    let count = explanation.needed.count
    explanation.needed = try explainer.allNeeded(workOut)
    if try isSame(explanation, explainer, span) { return (true, count) }
    // Other inputs may have prevented an earlier end of the signal, for instance by a timeout.
    explanation.needed = (0..<explanation.entries).filter { number in
      let origin = EntryOrigin(span.recorded[number], span.names)
      return origin.kind == .restart || origin.signal.map(explainer.concerns) ?? true
    }
    if try isSame(explanation, explainer, span) { return (true, count) }
    explanation.needed = Array(0..<explanation.entries)
    return (try isSame(explanation, explainer, span), count)
  }

  /// Returns the explanation of a value that was emitted during a start or a reload.
  private func explanationOfStart(_ number: UInt64, _ span: PastSpan) throws(Refusal) -> PastExplanation {
    let value = try valueOfStart(number)
    let explanation = Explanation(
      startOf: signal, .next(value.payload, sequence: number), microseconds: value.microseconds,
      DeclarationsInView(span.origin.stored.configuration, StepPlaces()))
    return PastExplanation(
      explanation: explanation, origins: [0: EntryOrigin(.start)], beginning: value.microseconds, isVerified: nil,
      declaredCount: nil, configuration: span.origin.stored.configuration)
  }

  /// Explains a silence.
  package func silence(at moment: Int64) throws(Refusal) -> PastSilence {
    try answering { () throws(Refusal) in try replayedSilence(at: moment) }
  }

  private func replayedSilence(at moment: Int64) throws(Refusal) -> PastSilence {
    guard let mark = marks.lastIndex(where: { $0.time <= moment }) else {
      throw .noValue("the history begins at \(Self.text(marks[0].time))")
    }
    try ensurePresence(at: mark)
    var (last, reach) = (mark, 1)
    while true {
      let first = try first(behind: last, reach: reach)
      let span = try span(upTo: moment, behind: first)
      let past = try silence(at: moment, span)
      if past.hasEarlierTurn(than: moment) || span.recorded.count >= PastSpan.limit / 2 || reach > Self.farthestReach {
        return past
      }
      reach *= 2
      if try self.first(behind: last, reach: reach) < first { continue }
      // A start or reload comes before; the inputs before that count where there are none since.
      guard past.silence.turns.isEmpty, first > 0, try lastMark(upTo: first - 1)?.index == first - 1 else {
        return past
      }
      last = first - 1
    }
  }

  /// Returns the span from a snapshot to some entries after a moment.
  private func span(upTo moment: Int64, behind mark: Int) throws(Refusal) -> PastSpan {
    try span(behind: mark) { replay in
      var entriesBehind = 0
      return { [unowned replay] in
        if replay.durable.time.microseconds > moment { entriesBehind += 1 }
        return entriesBehind > Self.entriesBehind
      }
    }
  }

  private func silence(at moment: Int64, _ span: PastSpan) throws(Refusal) -> PastSilence {
    let explainer = explainer(.last, span)
    return try Self.reading { () throws(StorageError) in
      let silence = try explainer.silence(around: moment, before: 3, after: 1) { recorder throws(StorageError) in
        try span.workOut(recorder)
      }
      return PastSilence(
        silence: silence, origins: origins(of: Set(silence.turns.map(\.entry)), span),
        configuration: span.origin.stored.configuration)
    }
  }

  private func explainer(_ target: Explainer.Target, _ span: PastSpan) -> Explainer {
    Explainer(
      signal, target, DeclarationsInView(span.origin.replayed, span.origin.stored.stepPlaces))
  }

  private func origins(of numbers: Set<Int>, _ span: PastSpan) -> [Int: EntryOrigin] {
    var origins: [Int: EntryOrigin] = [:]
    for number in numbers { origins[number] = EntryOrigin(span.recorded[number], span.names) }
    return origins
  }

  /// Checks that the needed entries alone reproduce the value, with time advancing as recorded.
  private func isSame(
    _ explanation: Explanation, _ explainer: Explainer, _ span: PastSpan
  ) throws(StorageError) -> Bool {
    let needed = Set(explanation.needed)
    return try explainer.isSame(explanation) { recorder throws(StorageError) in
      try span.workOut(recorder) { number in
        let isTime = if case .timers = span.recorded[number].entry { true } else { false }
        return isTime || needed.contains(number)
      }
    }
  }
}

extension EntryOrigin {
  /// - Parameter names: The names of all signals, by index.
  init(_ recorded: PastSpan.Recorded, _ names: [String]) {
    func name(_ place: UInt32) -> String? { names.indices.contains(Int(place)) ? names[Int(place)] : nil }
    let user = recorded.sender?.userID
    let connection = recorded.sender.map { "\($0.connection)" }
    let time = recorded.time.microseconds
    func sent(_ kind: Kind, _ signal: String?, _ value: JSONValue? = nil) -> EntryOrigin {
      EntryOrigin(kind, signal: signal, user: user, connection: connection, value: value, microseconds: time)
    }
    switch recorded.entry {
    case .value(let value, let place, _): self = sent(.sent, name(place), value.value)
    case .values(let values, let place, _): self = sent(.sent, name(place), values.last?.value)
    case .ending(_, let place, _): self = sent(.ended, name(place))
    case .timers: self.init(.timers, microseconds: time)
    case .crossing(let event, let place):
      self.init(.crossing, signal: name(place), value: event.value, microseconds: time)
    case .listening(_, let place): self.init(.listening, signal: name(place), microseconds: time)
    case .restart(let places): self = sent(.restart, places.compactMap(name).joined(separator: ", "))
    case .world(let event, _): self.init(.world, world: event.source, microseconds: time)
    case .content: self.init(.world, world: .file, microseconds: time)
    case .appended, .replaced, .progress: self.init(.world, microseconds: time)
    }
  }
}

extension WorldEvent {
  /// The external origin of the event.
  fileprivate var source: EntryOrigin.World {
    switch self {
    case .change: .file
    case .folder: .folder
    case .tail, .glob: .tail
    case .systemJournal: .journal
    case .named(let name, _): .query(name)
    case .program(.output): .program
    case .program(.ended): .programEnd
    case .bus: .bus
    case .answer: .busReply
    case .network: .network
    case .task: .networkAnswer
    }
  }
}
