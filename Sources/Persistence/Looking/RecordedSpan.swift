import GraphEngine
import GraphModel
import GraphTools
import JSON
import Signals
import StateLog

/// A span of the recorded history, with earlier entries as far back as the replay goes.
final class RecordedSpan {
  /// An input.
  struct Step {
    let signal: String
    let event: TestDraft.Event
    let time: EntryTime
    /// The group number, equal for values that entered together.
    let group: Int
  }

  /// An event of a signal within the span.
  struct Emission {
    let signal: String
    let event: SignalEvent
    let time: EntryTime
    /// The group of the last step before it, or of its own step.
    let group: Int
    /// The accumulated lateness of timers up to then: the event may be that much earlier in a test.
    let lateness: Duration
  }

  /// A moment at which a test can begin.
  struct Base {
    let time: EntryTime
    /// The number of steps before it.
    let step: Int
    /// The values held by signals, by name.
    let held: [String: Held]
    /// The signals restarted then.
    let restarted: [String]
  }

  /// The values held by a signal with external input.
  struct Held {
    var values: [JSONValue]
    var ending: SignalEnding?
    let capacity: Int

    mutating func take(_ event: TestDraft.Event) {
      switch event {
      case .value(let value):
        if capacity > 0 { values = (values + [value]).suffix(capacity) }
      case .ending(let ending): self.ending = ending
      }
    }
  }

  let times: ClosedRange<Int64>
  let stored: StoredConfiguration
  private(set) var steps: [Step] = []
  private(set) var emissions: [Emission] = []
  private(set) var bases: [Base] = []
  private(set) var roles: [String: TestRole] = [:]
  /// The start of the span, once it was reached.
  private(set) var start: EntryTime?
  /// The time of the last input or event.
  private(set) var last: EntryTime
  /// The next due time of a timer after it.
  private(set) var nextDeadline: Instant?
  private(set) var isOver = false

  private let durable: DurableRuntime
  /// The time of the last entry, as logged.
  private var entry: EntryTime
  private var lateness = Duration.zero
  private var isTimers = false
  /// The shift of inputs in the test relative to the recording.
  private var skew = Duration.zero
  /// The signals restarted by the last entry.
  private var restarted: [String]?
  private var group = 0
  /// The turn of the last external event.
  private var turn: UInt64?

  /// - Parameter times: In microseconds since 1970.
  init(_ replay: Replay, in times: ClosedRange<Int64>) {
    let begin = replay.durable.time
    self.times = max(times.lowerBound, begin.microseconds)...max(times.upperBound, begin.microseconds)
    (stored, durable, last, entry) = (replay.stored, replay.durable, begin, begin)
    let targets = stored.configuration.targets
    for signal in durable.places { roles[signal.name] = Self.role(of: signal, targets) }
    bases = [base(restarted: [])]
    replay.onEntry = { [unowned self] in take($0, at: $1) }
    durable.emissions.observer = { [unowned self] in note($0, of: $1) }
  }

  private static func role(of signal: RunningSignal, _ targets: Set<String>) -> TestRole {
    if !signal.isMirror { return signal.declaration.testRole }
    // The events of other graphs are recorded after their pipes.
    return signal.declaration.isUnpipedInput && !targets.contains(signal.name) ? .input : .stub
  }

  private func base(restarted: [String]) -> Base {
    var held: [String: Held] = [:]
    for signal in durable.places where roles[signal.name] != .computed {
      let retained = signal.retained
      let isKnown = roles[signal.name] != .input || signal.declaration.isUnpipedInput
      held[signal.name] = Held(
        values: isKnown ? retained.latest(retained.count).map(\.payload.value) : [], ending: signal.ending,
        capacity: retained.capacity)
    }
    return Base(time: last, step: steps.count, held: held, restarted: restarted)
  }

  // MARK: Recording

  private func take(_ entry: Entry, at time: EntryTime) {
    if let names = restarted { bases.append(base(restarted: names)) }
    restarted = nil
    if isOver { return }
    nextDeadline = durable.runtime.nextDeadline
    if time.microseconds > times.upperBound {
      isOver = true
      if start == nil { start = moment(times.lowerBound) }
      return
    }
    if start == nil, time.microseconds >= times.lowerBound {
      let start = moment(times.lowerBound)
      self.start = EntryTime(instant: min(start.instant, time.instant + skew), microseconds: start.microseconds)
    }
    if case .timers = entry {
      isTimers = true
      lateness += max(.zero, time.instant - (nextDeadline ?? time.instant))
    } else {
      // At one instant of a test, inputs precede timers: an input after a timer of that instant is shifted slightly.
      if isTimers, durable.runtime.clock.lastDue == time.instant { skew += .nanoseconds(1) }
      isTimers = false
      // The clock of a test is never late: an input before a late timer is moved to the timer's due time.
      let instant = min(time.instant, nextDeadline ?? time.instant) + skew
      last = EntryTime(instant: max(last.instant, instant), microseconds: time.microseconds)
    }
    self.entry = time
    note(entry)
  }

  /// Returns a moment after the last entry.
  private func moment(_ microseconds: Int64) -> EntryTime {
    EntryTime(
      instant: entry.instant + skew + .microseconds(microseconds - entry.microseconds), microseconds: microseconds)
  }

  private func note(_ entry: Entry) {
    func name(_ place: UInt32) -> String { durable.places[Int(place)].name }
    switch entry {
    case .value(let value, let place, _): enter([.value(value.value)], name(place))
    case .values(let values, let place, _): enter(values.map { .value($0.value) }, name(place))
    case .ending(let ending, let place, _): enter([.ending(ending)], name(place))
    case .crossing(.next(let value, _), let place): enter([.value(value.value)], name(place), isMirror: true)
    case .crossing(.ended(let ending), let place): enter([.ending(ending)], name(place), isMirror: true)
    case .restart(let places): restarted = places.map(name)
    case .timers, .listening, .world, .content, .appended, .replaced, .progress: break
    }
  }

  private func enter(_ events: [TestDraft.Event], _ name: String, isMirror: Bool = false) {
    let isOpen = durable.runtime.signal(named: name)?.ending == nil
    guard isOpen, isMirror || roles[name] == .input else { return }
    group += 1
    steps += events.map { Step(signal: name, event: $0, time: last, group: group) }
  }

  private func note(_ event: SignalEvent, of place: Int) {
    if isOver { return }
    if isTimers {
      last = EntryTime(
        instant: max(last.instant, (durable.runtime.clock.lastDue ?? entry.instant) + skew),
        microseconds: entry.microseconds)
    }
    let signal = durable.places[place]
    if let role = roles[signal.name], role == .stub || role == .clock {
      // All events of one turn form one group.
      if turn != durable.runtime.turns { group += 1 }
      turn = durable.runtime.turns
      switch event {
      case .next(let payload, _):
        steps.append(Step(signal: signal.name, event: .value(payload.value), time: last, group: group))
      case .ended(let ending):
        steps.append(Step(signal: signal.name, event: .ending(ending), time: last, group: group))
      }
    }
    guard let start, last.instant >= start.instant else { return }
    emissions.append(Emission(signal: signal.name, event: event, time: last, group: group, lateness: lateness))
  }

  /// Completes the span at the end of the log.
  func finish() {
    if let names = restarted { bases.append(base(restarted: names)) }
    if !isOver { nextDeadline = durable.runtime.nextDeadline }
    if start == nil { start = moment(times.lowerBound) }
  }

  /// Returns the end of the span; without an explicit one, the time of the last event.
  func end(at microseconds: Int64?) -> Instant {
    guard let microseconds else { return last.instant }
    return max(last.instant, moment(microseconds).instant)
  }

  /// Returns the values held by signals before a step.
  func held(before step: Int, since base: Base) -> [String: Held] {
    var held = base.held
    for step in steps[base.step..<step] { held[step.signal]?.take(step.event) }
    return held
  }
}
