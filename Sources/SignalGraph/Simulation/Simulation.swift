import JSON
import Spelling

/// Replays a recording to the graphs of a configuration, in virtual time.
///
/// Everything that is outside of the graphs, programs and files too, comes from the recording alone. The same recording
/// gives the same events, to the byte.
package final class Simulation {
  /// Told of each event of the signals that were chosen.
  private let onEvent: (SimulatedEvent) -> Void
  private let rehearsal: Rehearsal
  private let start: RecordedTime
  private var subscriptions: [Rehearsal.Subscription] = []
  /// The relation of a daemon's numbers of a signal to those that it has here.
  private var numbers: [String: (last: Int, offset: Int)] = [:]
  /// The last value of each signal that a daemon told, by its time and number.
  private var told = ToldValues()
  private let watch: Watch?
  /// How many events have been played.
  private var eventCount = 0

  /// Starts the graphs at a moment, which `now` in expressions tells.
  ///
  /// - Parameters:
  ///   - isShown: Whether a signal's events are wanted.
  ///   - watch: Notes what happens; the entries are the events in their order, from 0, `Simulation.timeEntry` and
  ///     `Simulation.startEntry`.
  package init(
    _ configuration: Configuration, start: RecordedTime, showing isShown: (SignalDeclaration) -> Bool,
    watch: Watch? = nil, onEvent: @escaping (SimulatedEvent) -> Void
  ) {
    self.start = start
    self.onEvent = onEvent
    self.watch = watch
    rehearsal = Rehearsal(configuration, wallOffset: start.duration.seconds, watch: watch)
    for signal in rehearsal.runtime.signals where isShown(signal.declaration) {
      subscriptions.append(rehearsal.subscribe(to: signal) { [unowned self] in tell($0, signal.name) })
    }
    enter(Self.startEntry) { rehearsal.runtime.start() }
  }

  /// The numbers of what enters beside events, which count from 0.
  package static let (timeEntry, startEntry) = (-1, -2)

  private func enter<Failure: Error>(_ entry: Int, _ body: () throws(Failure) -> Void) throws(Failure) {
    guard let watch else { return try body() }
    try watch.enter(entry, body)
  }

  private func tell(_ event: SignalEvent, _ signal: String) {
    onEvent(SimulatedEvent(time: start.later(by: rehearsal.now), signal: signal, event: event))
  }

  /// Moves time on to a recorded event, and carries it out as one turn.
  ///
  /// The events that a daemon told of computed signals follow here from their inputs, and are passed over.
  package func play(_ event: RecordedEvent) throws(RecordingError) {
    let number = eventCount
    eventCount += 1
    let signal = try signal(named: event.signal)
    if told.haveAgain(event) { return }
    let isLate = event.isRetained && event.time.duration - start.duration < rehearsal.now
    if !isLate { try enter(Self.timeEntry) { () throws(RecordingError) in try move(to: event.time) } }
    try enter(number) { () throws(RecordingError) in try carryOut(event, for: signal) }
  }

  private func carryOut(_ event: RecordedEvent, for signal: RunningSignal) throws(RecordingError) {
    if event.isTold { return repeatWhatWasTold(event, of: signal) }
    if let refusal = signal.declaration.refusalToSpeak(as: event.signal, advice: ": nothing can be sent to it") {
      throw RecordingError(refusal)
    }
    do throws(SendError) {
      switch event.content {
      case .value(let value): try rehearsal.send(value, to: event.signal)
      case .ending(let ending): try rehearsal.end(event.signal, with: ending)
      case .beginning: restart(signal)
      }
    } catch {
      throw RecordingError("\(event.signal): \(error.meaning)")
    }
  }

  private func signal(named name: String) throws(RecordingError) -> RunningSignal {
    let runtime = rehearsal.runtime
    if let signal = runtime.signal(named: name) { return signal }
    let nearest = Suggestion.likely(for: name, among: runtime.signals.map(\.name))
    throw RecordingError(
      "no signal \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""), isUnknownSignal: true)
  }

  /// Makes a signal say what it said to a daemon's client, unless it has said so by itself.
  ///
  /// Properties do at the start, and what the graphs send to themselves. It is said behind the signal's pipe, which the
  /// value has gone through before.
  private func repeatWhatWasTold(_ event: RecordedEvent, of signal: RunningSignal) {
    if case .beginning = event.content { return restart(signal) }
    if rehearsal.runtime.own[signal.name] == nil, signal.declaration.isMadeWithin { return }
    let turns = rehearsal.runtime.engine.turns
    switch event.content {
    case .beginning: break
    case .value(let value):
      // A recording by name alone does not tell that it was restarted.
      restart(signal)
      // A timer that is due at this very moment says it itself.
      if !signal.acceptsValues { rehearsal.finishInstant() }
      if let number = event.sequence, !isNews(number, of: signal) { return }
      turns.run { signal.receive(.value(value)) }
    case .ending(let ending): turns.run { signal.end(ending) }
    }
  }

  /// Starts a signal anew that has ended, with the signals computed from it, as a daemon was told to.
  ///
  /// One that is computed from others that have ended begins with these.
  private func restart(_ signal: RunningSignal) {
    let runtime = rehearsal.runtime
    let waits = signal.declaration.upstream.contains { runtime.signal(named: $0)?.ending != nil }
    if signal.ending != nil, !waits { runtime.restart([signal.name]) }
  }

  private func isNews(_ number: Int, of signal: RunningSignal) -> Bool {
    let count = Int(signal.sequence)
    var (last, offset) = numbers[signal.name] ?? (0, 0)
    // Another run of the daemon has begun to count anew.
    if number <= last { offset = number - 1 - count }
    last = number
    let isNews = number - offset > count
    if isNews { offset = number - count - 1 }
    numbers[signal.name] = (last, offset)
    return isNews
  }

  /// Lets time go on with nothing from outside, and lets all that is due at its end happen.
  package func run(until end: RecordedTime) throws(RecordingError) {
    let end =
      if case .sinceStart(let duration) = end { start.later(by: duration) } else { end }
    try enter(Self.timeEntry) { () throws(RecordingError) in
      try move(to: end)
      rehearsal.finishInstant()
    }
  }

  /// Lets what is due at the last moment happen.
  package func finish() { enter(Self.timeEntry) { rehearsal.finishInstant() } }

  /// Values that are sent at one instant come before the timers that are due then.
  private func move(to time: RecordedTime) throws(RecordingError) {
    guard time.isComparable(to: start) else {
      throw RecordingError("all times are of one kind: \(time) is not, the first was \(start)")
    }
    let elapsed = time.duration - start.duration
    guard elapsed >= rehearsal.now else {
      throw RecordingError("time goes back: \(time) comes after \(start.later(by: rehearsal.now))")
    }
    guard elapsed <= DurationText.longest else {
      throw RecordingError(
        "\(time) is more than \(DurationText.written(DurationText.longest)) after the start, \(start)")
    }
    guard elapsed > rehearsal.now else { return }
    rehearsal.finishInstant()
    rehearsal.move(to: elapsed)
  }
}
