import Base
import GraphEngine
package import GraphModel
import JSON

/// Replays a recording to the graphs of a configuration, in virtual time.
///
/// All external input, programs and files included, is from the recording alone. The events are deterministic, byte for
/// byte.
package final class Simulation {
  /// Called for each event of the selected signals.
  private let onEvent: (SimulatedEvent) -> Void
  private let rehearsal: Rehearsal
  private let start: RecordedTime
  /// True when the start was given explicitly, so that times since the start can be converted to calendar times.
  private let isStartNamed: Bool
  private var subscriptions: [Rehearsal.Subscription] = []
  /// The offset between the daemon's sequence numbers of a signal and those of the simulation.
  private var numbers: [String: (last: Int, offset: Int)] = [:]
  /// The last recorded value of each signal, by time and number.
  private var received = ReceivedValues()
  /// The signals of the recording, by name.
  private var targets: [String: Target] = [:]
  private let recorder: ProvenanceRecorder?
  /// The number of events played.
  private var eventCount = 0

  /// A signal of the recording.
  private struct Target {
    let signal: RunningSignal
    /// The stand-in for its source.
    let standIn: StandIn?
    /// The reason for rejecting external input, if it takes none.
    let refusal: String?
  }

  /// Starts the graphs at a moment, which is `now` in expressions.
  ///
  /// - Parameters:
  ///   - isStartNamed: True for an explicit start: times may be calendar times or relative to it. Otherwise all times
  ///     are of the same kind as the start.
  ///   - isShown: Selects the signals whose events are reported.
  ///   - recorder: Records what happens; its entries are the events in order, from 0, `Simulation.timeEntry` and
  ///     `Simulation.startEntry`.
  package init(
    _ configuration: Configuration, start: RecordedTime, isStartNamed: Bool = false,
    showing isShown: (SignalDeclaration) -> Bool, recorder: ProvenanceRecorder? = nil,
    onEvent: @escaping (SimulatedEvent) -> Void
  ) {
    self.start = start
    self.isStartNamed = isStartNamed
    self.onEvent = onEvent
    self.recorder = recorder
    rehearsal = Rehearsal(configuration, wallOffset: start.duration.seconds, recorder: recorder)
    for signal in rehearsal.runtime.signals where isShown(signal.declaration) {
      subscriptions.append(rehearsal.subscribe(to: signal) { [unowned self] in emit($0, signal.name) })
    }
    enter(Self.startEntry) { rehearsal.runtime.start() }
  }

  /// The entry numbers of steps other than events, which count from 0.
  package static let (timeEntry, startEntry) = (-1, -2)

  private func enter<Failure: Error>(_ entry: Int, _ body: () throws(Failure) -> Void) throws(Failure) {
    guard let recorder else { return try body() }
    try recorder.enter(entry, body)
  }

  private func emit(_ event: SignalEvent, _ signal: String) {
    onEvent(SimulatedEvent(time: start.later(by: rehearsal.now), signal: signal, event: event))
  }

  /// Advances the time to a recorded event and plays it as one turn.
  ///
  /// Recorded events of computed signals are skipped, since they follow from their inputs.
  package func play(_ event: RecordedEvent) throws(RecordingError) {
    let number = eventCount
    eventCount += 1
    let target = try target(named: event.signal)
    guard received.admit(event) else { return }
    let time = isStartNamed ? moment(event.time) : event.time
    let isLate = event.isRetained && time.duration - start.duration < rehearsal.now
    if !isLate { try enter(Self.timeEntry) { () throws(RecordingError) in try move(to: time) } }
    try enter(number) { () throws(RecordingError) in try carryOut(event, for: target) }
  }

  private func carryOut(_ event: RecordedEvent, for target: Target) throws(RecordingError) {
    if event.isReceived { return repeatEmission(event, of: target.signal) }
    if let refusal = target.refusal { throw RecordingError(refusal) }
    do throws(SendError) {
      switch event.content {
      case .value(let value): try rehearsal.send(value, to: target.signal, by: target.standIn)
      case .ending(let ending): try rehearsal.end(event.signal, with: ending)
      case .beginning: restart(target.signal)
      }
    } catch {
      throw RecordingError("\(event.signal): \(error.meaning)")
    }
  }

  private func target(named name: String) throws(RecordingError) -> Target {
    if let target = targets[name] { return target }
    let runtime = rehearsal.runtime
    guard let signal = runtime.signal(named: name) else {
      let nearest = Suggestion.likely(for: name, among: runtime.signals.map(\.name))
      throw RecordingError(
        "no signal \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""), isUnknownSignal: true)
    }
    let target = Target(
      signal: signal, standIn: rehearsal.standIn(for: signal),
      refusal: signal.declaration.refusalToReplace(as: name, advice: ": it takes no values"))
    targets[name] = target
    return target
  }

  /// Emits a recorded event of a signal, unless the signal has emitted it by itself.
  ///
  /// Properties emit at the start, and graphs send to themselves. The value is emitted after the signal's pipe, which
  /// it has already passed.
  private func repeatEmission(_ event: RecordedEvent, of signal: RunningSignal) {
    if case .beginning = event.content { return restart(signal) }
    if rehearsal.runtime.own[signal.name] == nil, signal.declaration.isMadeWithin { return }
    let turns = rehearsal.runtime.engine.turns
    switch event.content {
    case .beginning: break
    case .value(let value):
      // A recording by name alone does not mention restarts.
      restart(signal)
      // A timer that is due at this instant emits the value itself.
      if !signal.acceptsValues { rehearsal.finishInstant() }
      if let number = event.sequence, !isNews(number, of: signal) { return }
      turns.run { signal.receive(.value(value)) }
    case .ending(let ending): turns.run { signal.end(ending) }
    }
  }

  /// Restarts an ended signal and its dependents, as the daemon was requested to.
  ///
  /// A signal computed from other ended signals restarts with those.
  private func restart(_ signal: RunningSignal) {
    let runtime = rehearsal.runtime
    let waits = signal.declaration.upstream.contains { runtime.signal(named: $0)?.ending != nil }
    if signal.ending != nil, !waits { runtime.restart([signal.name]) }
  }

  private func isNews(_ number: Int, of signal: RunningSignal) -> Bool {
    let count = Int(signal.sequence)
    var (last, offset) = numbers[signal.name] ?? (0, 0)
    // Another run of the daemon numbers from 1 again.
    if number <= last { offset = number - 1 - count }
    last = number
    let isNews = number - offset > count
    if isNews { offset = number - count - 1 }
    numbers[signal.name] = (last, offset)
    return isNews
  }

  /// Advances the time without external input and runs everything that is due at its end.
  package func run(until end: RecordedTime) throws(RecordingError) {
    try enter(Self.timeEntry) { () throws(RecordingError) in
      try move(to: moment(end))
      rehearsal.finishInstant()
    }
  }

  /// Converts a time since the start to the kind of the start.
  private func moment(_ time: RecordedTime) -> RecordedTime {
    if case .sinceStart(let duration) = time { start.later(by: duration) } else { time }
  }

  /// Runs everything that is due at the last moment.
  package func finish() { enter(Self.timeEntry) { rehearsal.finishInstant() } }

  /// Values sent at an instant precede the timers that are due then.
  private func move(to time: RecordedTime) throws(RecordingError) {
    guard time.isComparable(to: start) else {
      throw RecordingError("mixed kinds of times: \(time) after \(start)")
    }
    let (elapsed, now) = (time.duration - start.duration, rehearsal.now)
    if isStartNamed, elapsed < .zero { throw RecordingError("\(time) is before the start, \(start)") }
    guard elapsed >= now else {
      throw RecordingError("times out of order: \(time) after \(start.later(by: now))")
    }
    guard elapsed <= DurationText.longest else {
      throw RecordingError(
        "\(time) is more than \(DurationText.written(DurationText.longest)) after the start, \(start)")
    }
    guard elapsed > now else { return }
    rehearsal.finishInstant()
    rehearsal.move(to: elapsed)
  }
}
