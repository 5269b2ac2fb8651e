import Base
import Expressions
package import GraphModel
package import JSON
package import Signals

/// The services that all signals of a runtime share: the clock, the turns, the limits and the outside world.
package final class GraphEngine: StateFields {
  package let clock: GraphClock
  package let turns: Turns
  let world: any GraphWorld
  /// The sources that a test or a simulation stands in for.
  let standIns: StandIns
  /// The mirrors of another runtime's signals, and the way back to that runtime.
  let mirrors: Mirrors
  /// The recorder of events, if their provenance can be asked for.
  let recorder: (any GraphWatch)?
  /// The rules that the graphs follow in processing their inputs.
  var rules = GraphRules.present {
    didSet { clock.rules = rules }
  }
  /// The limits; a reload changes them while graphs run.
  var limits: Limits {
    didSet {
      turns.chainLimit = limits.chain
      turns.timer.limit = limits.turnTime
      series.limit = limits.series
      expressionLimits = Self.expressionLimits(limits)
    }
  }
  /// The limits of an evaluation.
  private(set) var expressionLimits: ExpressionLimits
  /// The series of all metrics.
  let series: SeriesLedger
  /// The time zones by name; the machine's own has the empty name.
  var timeZones: [String: TimeZone]
  /// The location of the machine, for calendar times that follow the sun.
  var location: GeographicLocation?
  /// Called for each value that an expression refused.
  var onRefusal: (RefusedValue) -> Void = { _ in }
  /// Called for each loss that a signal counts.
  var onLoss: (RunningSignal, Losses.Event) -> Void = { _, _ in }
  /// Called for a durable signal that keeps its newest value from now on.
  var onHolding: (RunningSignal) -> Void = { _ in }
  /// Called for each key of a `group_by` whose pipe has ended, in a signal with a metric.
  var onKeyEnd: (RunningSignal, EmittingKey) -> Void = { $0.metric?.end($1) }
  /// The shared environment of expressions without variables.
  let environment = Environment()
  /// The actions by full name.
  package var actions: [String: RunningAction] = [:]
  /// True while signals are being replaced.
  ///
  /// Subscribers added then are only counted, and their signals start with all others; lazy signals do not stop yet,
  /// since their subscribers may return.
  var isReplacing = false
  /// True while everything is being stopped: interruptions of dependents are not delivered then.
  var isOver = false
  /// Called for each signal that has ended by itself.
  var onEnding: (RunningSignal) -> Void = { _ in }
  /// The number of signals that have ended.
  private var endings: UInt64 = 0
  /// The number of runs of cold signals so far.
  private var runs: UInt64 = 0
  /// The running calls of clients, by the full names of their actions; they may outlive these.
  var calls: [String: ActionCall] = [:]
  /// The running calls of pipes by the full names of their actions, in the order of their beginning.
  var pipedCalls: [String: [PipedCall]] = [:]
  /// Called for each call of an action, with its value.
  package var onCall: (_ action: String, Payload) -> Void = { _, _ in }
  /// The backlogs of the calls of pipes.
  var backlogs: [ObjectIdentifier: CallBacklog] = [:]
  /// Called when the backlog of a call begins or ceases to block the senders of a signal.
  var onCongestion: (_ signal: String, Bool) -> Void = { _, _ in }
  /// The progress of signals with sources on the network, by their full names.
  var networkMemories: [String: NetworkMemory] = [:]
  /// The lookup of a signal by its full name.
  var find: (String) -> RunningSignal? = { _ in nil }

  /// The tally of each graph in the present turn.
  private var tallies: [Substring: TurnTally] = [:]

  /// True if the memory of operators can be saved.
  let keepsState: Bool
  /// The saved states of the runs of cold signals, by number.
  var keptRuns: [UInt64: StateDecoder] = [:]
  /// The signals that could not be restored completely, each with its first error.
  private(set) var mismatches: [StateMismatch] = []

  init(
    clock: GraphClock, limits: Limits, world: any GraphWorld, standIns: StandIns, mirrors: Mirrors,
    timeZones: [String: TimeZone], location: GeographicLocation?, keepsState: Bool, readsText: Bool,
    recorder: (any GraphWatch)?
  ) {
    environment.readsText = readsText
    self.timeZones = timeZones
    self.location = location
    self.mirrors = mirrors
    self.keepsState = keepsState
    self.recorder = recorder
    self.clock = clock
    self.limits = limits
    expressionLimits = Self.expressionLimits(limits)
    series = SeriesLedger(limit: limits.series)
    self.world = world
    self.standIns = standIns
    turns = Turns(chainLimit: limits.chain, timer: TurnTimer(limit: limits.turnTime))
    recorder?.begin(self)
    clock.recorder = recorder
    turns.recorder = recorder
  }

  private static func expressionLimits(_ limits: Limits) -> ExpressionLimits {
    ExpressionLimits(steps: limits.expression, bytes: limits.value)
  }

  /// Records an error in restoring a signal.
  func note(_ error: StateError, of signal: String) {
    if !mismatches.contains(where: { $0.signal == signal }) {
      mismatches.append(StateMismatch(signal: signal, error: error))
    }
  }

  func discardMismatches() { mismatches = [] }

  package func code(_ field: inout StateCoder<GraphEngine>) throws(StateError) {
    try field(clock)
    try field(&turns.number)
    try field(&endings)
    try field(&runs)
  }

  /// Returns the number of another run of a cold signal.
  func nextRun() -> UInt64 {
    runs += 1
    return runs
  }

  func signal(named name: String) -> RunningSignal {
    guard let signal = find(name) else { preconditionFailure("\(name) was found to be declared") }
    return signal
  }

  /// Returns the tally, in the present turn, of a signal's graph, given the signal's full name.
  func tally(ofGraphOf signal: String) -> TurnTally {
    let graph = signal.prefix { $0 != "." }
    if let tally = tallies[graph] { return tally }
    let tally = TurnTally()
    tallies[graph] = tally
    return tally
  }

  /// Returns the record of a signal's end now, with the signal that caused it.
  func note(_ ending: SignalEnding, of signal: RunningSignal, because known: String? = nil) -> SignalEnd {
    endings += 1
    // The end of a mirror has the cause of its original's end, or none.
    let cause = signal.isMirror ? known : cause(of: ending, of: signal)
    return SignalEnd(
      ending: ending, time: clock.microseconds, cause: cause, number: endings, turn: turns.number)
  }

  private func cause(of ending: SignalEnding, of signal: RunningSignal) -> String? {
    let causes = signal.declaration.upstream.compactMap(find).filter {
      $0.end?.explains(ending, in: turns.number) ?? false
    }
    // A signal completes with the last of its upstream signals, and fails with the first.
    let inOrder = causes.sorted { ($0.end?.number ?? 0) < ($1.end?.number ?? 0) }
    return (ending == .completed ? inOrder.last : inOrder.first)?.name
  }

  /// Counts and reports a refused value.
  func report(_ failure: SignalFailure, of operatorName: String, in signal: RunningSignal, value: JSONValue?) {
    signal.count(.error)
    emit(RefusedValue(signal: signal.name, operatorName: operatorName, value: value, failure: failure))
  }
}

extension GraphEngine {
  /// Reports a value lost to a limit of all graphs.
  func report(pastBound message: String, of operatorName: String, in signal: RunningSignal) {
    guard !OwnGraph.signals.contains(signal.name) else { return }
    emit(
      RefusedValue(
        signal: signal.name, operatorName: operatorName, value: nil,
        failure: SignalFailure(code: "limit", message: message)))
  }

  private func emit(_ refusal: RefusedValue) {
    recorder?.refuse(refusal)
    onRefusal(refusal)
  }
}

/// A value that an expression refused, or that was lost to a limit.
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
