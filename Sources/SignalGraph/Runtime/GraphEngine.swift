import CivilTime
import Expressions
package import JSON
import ReactiveCore

/// The tools of all signals of a runtime: the clock, the turns, the bounds and the world around.
final class GraphEngine {
  let clock: GraphClock
  let turns: Turns
  let world: any GraphWorld
  /// The sources that a test or a simulation speaks for.
  let standIns: StandIns
  /// The signals that only repeat what another runtime makes, and what goes back there.
  let mirrors: Mirrors
  /// Notes what happens, for somebody who looks back.
  let watch: Watch?
  /// A reload changes them while graphs run.
  var limits: Limits {
    didSet { turns.chainLimit = limits.chain }
  }
  /// The time zones by their names; that of the machine has none.
  var timeZones: [String: TimeZone]
  /// Told of each value that an expression refused.
  var onRefusal: (RefusedValue) -> Void = { _ in }
  /// Told of all that a signal counts as lost.
  var onLoss: (RunningSignal, Losses.Event) -> Void = { _, _ in }
  /// Where expressions are evaluated that see no variables.
  let environment = Environment()
  /// The actions by their full names.
  var actions: [String: RunningAction] = [:]
  /// Whether signals are being replaced: those who come then are only counted, and begin with all others; lazy signals
  /// wait with their end, since those who leave may come back.
  var isReplacing = false
  /// Whether all is being taken down: what goes then interrupts what hung on it, and nobody is to hear of it.
  var isOver = false
  /// Told of each signal that has ended by itself.
  var onEnding: (RunningSignal) -> Void = { _ in }
  /// How many signals have ended.
  private var endings: UInt64 = 0
  /// How many runs of cold signals there have been.
  private var runs: UInt64 = 0
  /// The calls of clients that run, by the full names of their actions, which they may outlive.
  var calls: [String: ActionCall] = [:]
  /// The same of pipes, in the order in which they have begun.
  var pipedCalls: [String: [PipedCall]] = [:]
  /// Told of each call of an action, with its value.
  var onCall: (_ action: String, Payload) -> Void = { _, _ in }
  /// Finds a signal by its full name.
  var find: (String) -> RunningSignal? = { _ in nil }

  /// The tally of each graph in the present turn.
  private var tallies: [Substring: TurnTally] = [:]

  /// Whether what operators remember can be written down.
  let keepsState: Bool
  /// The kept states of the runs of cold signals, by their numbers.
  var keptRuns: [UInt64: StateReader] = [:]
  /// The first thing that could not be read back.
  private(set) var stateError: StateError?

  init(
    clock: GraphClock, limits: Limits, world: any GraphWorld, standIns: StandIns, mirrors: Mirrors,
    timeZones: [String: TimeZone], keepsState: Bool, watch: Watch?
  ) {
    self.timeZones = timeZones
    self.mirrors = mirrors
    self.keepsState = keepsState
    self.watch = watch
    self.clock = clock
    self.limits = limits
    self.world = world
    self.standIns = standIns
    turns = Turns(chainLimit: limits.chain)
    watch?.begin(self)
    clock.watch = watch
    turns.watch = watch
  }

  /// Takes note of something that could not be read back.
  func note(_ error: StateError) { stateError = stateError ?? error }

  func store(in writer: inout StateWriter) {
    clock.store(in: &writer)
    turns.number.store(in: &writer)
    endings.store(in: &writer)
    runs.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    try clock.restore(from: &reader)
    turns.number = try UInt64(from: &reader)
    endings = try UInt64(from: &reader)
    runs = try UInt64(from: &reader)
  }

  /// The number of one more run of a cold signal.
  func nextRun() -> UInt64 {
    runs += 1
    return runs
  }

  func signal(named name: String) -> RunningSignal {
    guard let signal = find(name) else { preconditionFailure("\(name) was found to be declared") }
    return signal
  }

  /// The tally, in the present turn, of the graph of a signal, given by its full name.
  func tally(ofGraphOf signal: String) -> TurnTally {
    let graph = signal.prefix { $0 != "." }
    if let tally = tallies[graph] { return tally }
    let tally = TurnTally()
    tallies[graph] = tally
    return tally
  }

  /// Takes note of how a signal ends now, and of the signal for which it does.
  func note(_ ending: SignalEnding, of signal: RunningSignal, because known: String? = nil) -> SignalEnd {
    endings += 1
    // The ending of a mirror has the cause that its original's has, or none.
    let cause = signal.isMirror ? known : cause(of: ending, of: signal)
    return SignalEnd(
      ending: ending, time: clock.microseconds, cause: cause, number: endings, turn: turns.number)
  }

  private func cause(of ending: SignalEnding, of signal: RunningSignal) -> String? {
    let causes = signal.declaration.upstream.compactMap(find).filter {
      $0.end?.explains(ending, in: turns.number) ?? false
    }
    // A signal completes with the last of those that it hears, and fails with the first.
    let inOrder = causes.sorted { ($0.end?.number ?? 0) < ($1.end?.number ?? 0) }
    return (ending == .completed ? inOrder.last : inOrder.first)?.name
  }

  /// Counts a value that was refused, and tells of it.
  func report(_ failure: SignalFailure, of operatorName: String, in signal: RunningSignal, value: JSONValue?) {
    signal.count(.error)
    tell(RefusedValue(signal: signal.name, operatorName: operatorName, value: value, failure: failure))
  }
}

extension GraphEngine {
  /// Tells of a value that was lost to one of the bounds of all graphs.
  func report(pastBound message: String, of operatorName: String, in signal: RunningSignal) {
    guard !OwnSignals.names.contains(signal.name) else { return }
    tell(
      RefusedValue(
        signal: signal.name, operatorName: operatorName, value: nil,
        failure: SignalFailure(code: "limit", message: message)))
  }

  private func tell(_ refusal: RefusedValue) {
    watch?.refuse(refusal)
    onRefusal(refusal)
  }
}

/// A value that an expression refused, or that was lost to a bound.
package struct RefusedValue: Sendable {
  package let signal: String
  package let operatorName: String
  package let value: JSONValue?
  package let failure: SignalFailure

  package init(signal: String, operatorName: String, value: JSONValue?, failure: SignalFailure) {
    self.signal = signal
    self.operatorName = operatorName
    self.value = value
    self.failure = failure
  }
}
