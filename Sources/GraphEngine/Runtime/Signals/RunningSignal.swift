package import GraphModel
package import JSON
import ReactiveCore

/// A signal by name, which clients send to, subscribe to and get.
///
/// It survives reloads: the body behind a name may be replaced, while the sequence number continues and subscribers
/// stay.
package final class RunningSignal {
  package private(set) var declaration: SignalDeclaration
  let engine: GraphEngine
  /// The tally of its graph in the present turn.
  let tally: TurnTally
  /// The position among all signals, each after everything that it is computed from.
  var order: UInt32 = 0
  /// The position in the file.
  package internal(set) var position: UInt32 = 0
  /// The entry for values from outside, for an input or a property.
  package var inlet: Inlet?

  /// The number of the last value; 0 before the first.
  package private(set) var sequence: UInt64 = 0
  /// The time of the last value, in microseconds since 1970.
  package private(set) var lastTime: Int64?
  /// The record of its end, if it has ended.
  package private(set) var end: SignalEnd?
  /// The memory of its values, if it needs one.
  private var memory: SignalMemory?
  package private(set) var losses = Losses()

  /// Called for each event once it has been counted and retained: the way from the graph to the daemon's `Channel`.
  package var observer: ((SignalEvent) -> Void)?
  /// The series of its metric, if it has one.
  package var metric: MetricSeries?
  /// The key of `group_by` whose pipe emits just now.
  package var emittingKey: EmittingKey?
  /// Called before it discards the values that it keeps for new subscribers.
  package var willDiscard: (() -> Void)?
  /// True if its events are sent to mirrors in other runtimes, after the observer.
  package var isReflected = false
  /// True if it only reflects a signal of another runtime.
  package private(set) var isMirror = false
  /// True if it has adopted values that its dependents have not received.
  private var hasUndelivered = false

  private var body: RunningBody?
  private var observation: (any Disposable)?
  /// The last operator of its body, if the signal applies it itself.
  private var lastStep: Step?
  /// The connection to its dependents, made with the first one.
  private var outlet: Outlet?
  var endedInputs = EndedInputs()
  /// The saved state of its body, until that is built.
  private var keptBody: KeptState?
  /// True if its body discards its saved state; a test shows with it that the state matters.
  var isForgetful = false
  private var listeners = Listeners()
  /// True if it runs and emits sent values unchanged.
  private var isOpen = false

  /// - Parameter sequence: The number of the last value that a signal of this name had.
  init(_ declaration: SignalDeclaration, sequence: UInt64, engine: GraphEngine) {
    self.declaration = declaration
    self.sequence = sequence
    self.engine = engine
    tally = engine.tally(ofGraphOf: declaration.name)
    isMirror = engine.mirrors.contains(declaration)
    discard()
    renewNetworkMemory()
  }

  package var name: String { declaration.name }
  package var isPrivate: Bool { declaration.traits.isPrivate }
  /// Its name for clients.
  var publicName: String {
    isPrivate ? declaration.isCondition ? "an action's enabled_if" : "a private signal" : name
  }
  package var ending: SignalEnding? { end?.ending }
  package var kind: SignalKind { declaration.kind }
  package var acceptsValues: Bool { declaration.body.source.takesValues }
  /// True if a service outside makes its values from those that are sent to it.
  package var hasVoiceOutside: Bool { inlet?.hasOwnValueObserver ?? false }
  package var isHeld: Bool { !retained.isEmpty }
  /// True if it runs separately for each subscriber: see `GraphRuntime.startRun`.
  package var isCold: Bool { declaration.traits.run == .cold }
  /// True if it runs only while it has subscribers: see `GraphRuntime.attach`.
  package var isLazy: Bool { declaration.traits.run == .lazy }

  /// The values for a new subscriber, oldest first.
  package var retained: Retention {
    guard let memory else { return .none }
    memory.retention.expire(at: engine.clock.now)
    return memory.retention
  }

  /// True if the newest value is kept until the next one, or until `willDiscard`.
  package var keepsNewest: Bool { memory?.retention.keepsNewest ?? false }

  /// Adopts what applies without a restart: documentation and visibility.
  func apply(_ declaration: SignalDeclaration) {
    let isAnotherSource = declaration.followedSource != self.declaration.followedSource
    self.declaration = declaration
    if isAnotherSource { renewNetworkMemory() }
    let wasMirror = isMirror
    isMirror = engine.mirrors.contains(declaration)
    if isMirror, !wasMirror { listeners.hasObservedMirror = false }
  }

  /// Retains at least this many values for new subscribers.
  func retain(atLeast count: Int) {
    let memory = remembering()
    if memory.retention.capacity < count { memory.retention = Retention(capacity: count) }
  }

  /// Keeps the newest value for new subscribers from now on, as does its mirror.
  package func holdNewest() {
    if let memory, memory.retention.capacity > 0 { return }
    retain(atLeast: 1)
    if declaration.isDurable, !isMirror { engine.onHolding(self) }
  }

  /// Discards all values.
  private func discard() {
    willDiscard?()
    let policy = declaration.traits.retention
    let isRecorded = memory?.isRecorded ?? false
    memory = policy.count > 0 || isRecorded ? SignalMemory(policy, isRecorded: isRecorded) : nil
    // Other signals do this when their source is built.
    if isMirror, declaration.body.source.isHeld { retain(atLeast: 1) }
  }

  private func remembering() -> SignalMemory {
    let memory = memory ?? SignalMemory(declaration.traits.retention, isRecorded: false)
    self.memory = memory
    return memory
  }
}

// MARK: - Running

extension RunningSignal {
  /// Discards everything but the name, the sequence number and the subscribers.
  func reset() {
    inlet = nil
    end = nil
    discard()
  }

  /// Builds its body if it should run now and does not: a lazy one needs a subscriber, and an ended one stays ended.
  func build() {
    guard body == nil, ending == nil, !isCold, !isMirror, !isLazy || !listeners.isEmpty else { return }
    let body = RunningBody(of: self, for: BodyOwner(signal: self), view: .connected, kept: keptBody.take()?.decoder)
    if isForgetful { body.discardKept() }
    self.body = body
    var (stream, last) = body.buildNamed()
    if let initial = declaration.traits.initial {
      stream = body.prefix(last.isEmpty ? stream : stream.through(last), [.value(initial)])
      last = []
    }
    lastStep = last.popLast()?.step
    isOpen = declaration.body.pipe.isEmpty && inlet?.isOpen ?? false
    let output = StreamObserver(link: self, value: { $0.take($1) }, ending: { $0.end(SignalEnding($1)) })
    observation = stream.observe(output.behind(last))
  }

  /// Handles an input of the last operator, if the signal applies that itself.
  private func take(_ payload: Payload) {
    // The operators before it may emit more after it has stopped.
    if observation == nil { return }
    guard let lastStep else { return receive(payload) }
    lastStep(payload, StreamObserver(link: self, value: { $0.receive($1) }, ending: { $0.end(SignalEnding($1)) }))
  }

  /// Emits its first values, within a turn.
  func start() {
    tally.expectFirstValue(in: engine.turns.number)
    body?.start()
    deliverAdopted()
  }

  /// True while it runs, possibly in runs of its own.
  var isRunning: Bool { ending == nil && (body != nil || !coldRuns.isEmpty) }

  /// True if it has to attach to the world to resume.
  var isWaitingForWorld: Bool { body?.isWaiting ?? false || listeners.coldRuns.contains(where: \.isWaitingForWorld) }

  /// Attaches to the world to resume, within a turn.
  func attachToWorld() {
    body?.start()
    for run in listeners.coldRuns { run.attachToWorld() }
  }

  /// Ends its body, and the runs of a cold one, without notifying subscribers.
  func stop() {
    isOpen = false
    for run in listeners.coldRuns { run.halt() }
    stopListening()
    body?.end()
    body = nil
    outlet = nil
    memory?.discardTurn()
    endedInputs.removeAll()
  }

  /// Resubscribes its ended inputs that are computed from restarted signals; the rest of it keeps running.
  ///
  /// - Returns: The bodies that have to be started for that.
  func resubscribe(_ restarted: Set<String>) -> [RunningBody] { endedInputs.resubscribe(restarted) }

  /// Sorts its dependents into the order of the graph.
  func sortDependents() { outlet?.sort() }

  /// Handles a value of its body: checks the limits, then delivers it.
  package func receive(_ payload: Payload) {
    if ending == nil, admits(payload) { deliver(payload) }
  }

  /// Counts, retains and emits a value, whatever the limits.
  func deliver(_ payload: Payload) {
    sequence += 1
    lastTime = engine.clock.microseconds
    memory?.append(payload, sequence: sequence, in: engine)
    observer?(.next(payload, sequence: sequence))
    if let recorder = engine.recorder {
      recorder.emit(.next(payload, sequence: sequence), by: self) { outlet?.send(payload) }
    } else {
      outlet?.send(payload)
    }
    if isReflected { engine.mirrors.onEvent(self, .next(payload, sequence: sequence)) }
  }

  /// True if a sent value needs only to be counted and passed to the observer.
  ///
  /// This holds for an input of any type without operators, dependents and retained values: a sender need not decode
  /// the value, see `relay`.
  package var isRelay: Bool {
    isOpen && !hasDependents && ending == nil && memory == nil && !isReflected
  }

  /// Counts a value that the caller delivers itself, in place of the observer.
  ///
  /// - Returns: The number of the value.
  package func relay() -> UInt64 {
    sequence += 1
    lastTime = engine.clock.microseconds
    return sequence
  }

  /// Reflects an event of its original.
  func reflect(_ event: SignalEvent, cause: String?) {
    switch event {
    case .next(let payload, let sequence):
      guard ending == nil else { return }
      self.sequence = sequence - 1
      losses.pass()
      deliver(payload)
    case .ended(let ending): end(ending, because: cause)
    }
  }

  /// Continues counting above a number that was given to a value elsewhere.
  package func skipNumbers(to number: UInt64) { sequence = max(sequence, number) }

  /// Adopts the values, the number and the ending of its original, without notifying subscribers.
  ///
  /// - Parameters:
  ///   - onlyNumber: True if the original starts fresh, so that only its number continues.
  ///   - isDelivered: True if dependents have received them.
  ///   - ahead: The lead of the clock here over the original's.
  package func adopt(_ original: RunningSignal, onlyNumber: Bool, isDelivered: Bool, ahead: Duration) {
    sequence = original.sequence
    if onlyNumber { return }
    hasUndelivered = !isDelivered
    willDiscard?()
    lastTime = original.lastTime
    end = original.end
    losses = original.losses
    if let kept = original.memory { remembering().retention = kept.retention.moved(by: ahead) }
  }

  /// Delivers what it has adopted since its dependents were built, as if they had connected after that.
  func deliverAdopted() {
    if !hasUndelivered { return }
    hasUndelivered = false
    for payload in earlier(for: .connected) { outlet?.send(payload) }
    guard let ending else { return }
    outlet?.end(with: ending)
    outlet = nil
  }

  /// Ends the signal as its body ended.
  ///
  /// - Parameter cause: The signal that caused the ending, if known elsewhere.
  package func end(_ ending: SignalEnding, because cause: String? = nil) {
    guard end == nil, !engine.isOver else { return }
    end = engine.note(ending, of: self, because: cause)
    stopListening()
    observer?(.ended(ending))
    engine.onEnding(self)
    if let recorder = engine.recorder {
      recorder.emit(.ended(ending), by: self) { outlet?.end(with: ending) }
    } else {
      outlet?.end(with: ending)
    }
    outlet = nil
    if isReflected { engine.mirrors.onEvent(self, .ended(ending)) }
    release()
  }

  private func stopListening() {
    observation?.dispose()
    observation = nil
    lastStep = nil
  }

  /// Ends its body once the present turn is over: its resources, such as a program, are no longer needed.
  private func release() {
    guard let body else { return }
    if engine.turns.isRunning { engine.turns.atTurnEnd { body.end() } } else { body.end() }
  }

  /// Counts a loss, or a program.
  package func count(_ event: Losses.Event) {
    losses.count(event)
    engine.onLoss(self, event)
  }

  /// Returns true if a value is within the limits; otherwise drops it, for all dependents too.
  func admits(_ value: Payload) -> Bool {
    guard tally.admitsValue(in: engine.turns.number, limit: engine.limits.turn) else {
      drop(past: "more than \(engine.limits.turn) values in one turn (limits.turn)")
      return false
    }
    guard engine.turns.timer.admitsWork() else {
      drop(past: engine.turns.timer.overtime)
      return false
    }
    guard value.isWithin(bytes: engine.limits.value) else {
      drop(past: "value exceeds \(engine.limits.value) bytes (limits.value)")
      return false
    }
    losses.pass()
    return true
  }

  /// Counts a value lost to a limit of all graphs, and reports the first after one that was not lost.
  ///
  /// - Parameters:
  ///   - publicly: The message to clients about the limit, if it differs from that to the log.
  ///   - operatorName: The operator that lost it; the last one by default.
  func drop(
    past bound: @autoclosure () -> String, publicly: @autoclosure () -> String? = nil, in operatorName: String? = nil
  ) {
    guard drop(bound()) else { return }
    let body = declaration.body
    engine.report(
      pastBound: publicly() ?? bound(), of: operatorName ?? body.pipe.last?.name ?? body.source.name, in: self)
  }

  /// Counts a value lost to a limit, and logs the first after one that was not lost.
  ///
  /// - Returns: True if it was the first.
  @discardableResult package func drop(_ reason: @autoclosure () -> String) -> Bool {
    let isFirst = losses.drop()
    engine.onLoss(self, .drop)
    if isFirst { engine.world.log(reason(), signal: name) }
    return isFirst
  }
}

// MARK: - Subscribers

extension RunningSignal {
  /// Returns its stream for another body: the retained values at the start, and then all events.
  ///
  /// - Parameter place: The place where a body that was chosen while the graph runs observes it.
  func stream(for downstream: RunningBody, at place: DeclaredPlace) -> Stream {
    if isCold { return ownRun(for: downstream) }
    if isLazy { listen(downstream) }
    let earlier = earlier(for: downstream.view)
    if let ending { return downstream.generate(earlier, then: ending) }
    let output = output(to: downstream)
    let live = downstream.view == .connected ? output : Gate.stream(of: output, at: place)
    return earlier.isEmpty ? live : downstream.prefix(live, earlier)
  }

  private func earlier(for view: RunningBody.View) -> [Payload] {
    let retained = retained.all
    guard view == .presentTurn, let present = memory?.presentTurn, let first = present.first else {
      return retained.map(\.payload)
    }
    return (retained.prefix { $0.sequence < first.sequence } + present).map(\.payload)
  }

  /// Records the values of each turn until its end, for operators that choose this signal in that turn.
  func recordTurns() { remembering().isRecorded = true }

  /// True if another signal depends on it.
  var hasDependents: Bool { outlet.map { !$0.isEmpty } ?? false }

  private func output(to body: RunningBody) -> Stream {
    let outlet = outlet ?? Outlet()
    self.outlet = outlet
    return outlet.stream(for: body)
  }

  private func ownRun(for downstream: RunningBody) -> Stream {
    let kept = KeptBody()
    let run = RunningBody(of: self, for: downstream.owner, view: downstream.view, kept: kept.kept)
    kept.body = run
    let stream = run.build()
    downstream.add(run)
    downstream.onEnd { run.end() }
    return stream
  }

  private func listen(_ downstream: RunningBody) {
    addSubscriber()
    build()
    downstream.onStart { [self] in start() }
    downstream.onEnd { [self] in removeSubscriber() }
  }

  /// True if it has subscribers.
  var isObserved: Bool { !listeners.isEmpty }

  /// True if its original must run for it: it mirrors a lazy signal, and has subscribers.
  package var wantsOriginal: Bool { isMirror && isLazy && isObserved }

  /// True if a mirror of it in another runtime has subscribers: see `GraphRuntime.setMirror`.
  package internal(set) var hasObservedMirror: Bool {
    get { listeners.hasObservedMirror }
    set { listeners.hasObservedMirror = newValue }
  }

  /// Adds a subscriber; a lazy signal has to be built and started for it.
  package func addSubscriber() {
    listeners.addSubscriber()
    if isMirror, isLazy, listeners.count == 1 { engine.mirrors.onListening(self) }
  }

  /// Removes a subscriber; a lazy signal stops with the last one.
  func removeSubscriber() {
    listeners.removeSubscriber()
    if isMirror, isLazy, listeners.isEmpty { engine.mirrors.onListening(self) }
    if !engine.isReplacing { rest() }
  }

  /// Stops a lazy signal without subscribers.
  func rest() {
    if isLazy, listeners.isEmpty, body != nil { stop() }
  }
}

// MARK: - Runs of a cold signal

extension RunningSignal {
  func add(_ run: ColdRun) { listeners.add(run) }

  /// The runs in the order of their creation.
  var coldRuns: [ColdRun] { listeners.coldRuns }

  /// Builds the runs that resume from saved states.
  func beginKeptRuns() {
    for run in coldRuns { run.resume() }
  }

  func discard(_ run: ColdRun) { listeners.discard(run) }

  /// Restarts the runs that a reload has halted, each as a turn.
  func beginRuns() {
    for run in coldRuns { engine.turns.run { run.begin() } }
  }

  /// Continues the numbers of its runs if it was a cold signal before.
  func adoptNumbers() {
    if !isCold { sequence = coldRuns.reduce(sequence) { max($0, $1.sequence) } }
  }
}

// MARK: - Saving

extension RunningSignal {
  /// Encodes all that it needs to resume elsewhere, without its subscribers.
  func encode(to writer: inout StateEncoder) {
    sequence.encode(to: &writer)
    lastTime.encode(to: &writer)
    end.encode(to: &writer)
    losses.encode(to: &writer)
    endedInputs.count.encode(to: &writer)
    (memory != nil).encode(to: &writer)
    memory?.retention.expire(at: engine.clock.now)
    memory?.encode(to: &writer)
    let body = body.flatMap { $0.hasEnded ? nil : $0 }
    (body != nil).encode(to: &writer)
    if let body { writer.part { body.encode(to: &$0) } }
    networkMemory?.encode(to: &writer)
  }

  /// Restores the saved state; its body resumes once it is built.
  func restore(from reader: inout StateDecoder) throws(StateError) {
    sequence = try UInt64(from: &reader)
    lastTime = try Int64?(from: &reader)
    end = try SignalEnd?(from: &reader)
    try losses.restore(from: &reader)
    endedInputs.restore(count: try Int(from: &reader))
    if try Bool(from: &reader) { try remembering().restore(from: &reader) }
    keptBody = try Bool(from: &reader) ? KeptState(try reader.part()) : nil
    // A state of version 1.0 may lack it, where a reload had made the signal one of the network.
    if !reader.isAtEnd { try networkMemory?.restore(from: &reader) }
    if !reader.isAtEnd { throw StateError("unexpected state of \(name)") }
  }

  /// Discards a saved state that does not fit, so that the signal starts fresh.
  func discardKept() {
    keptBody = nil
    if !isMirror { end = nil }
  }

  /// Completes restoring, once all parts of its body exist: sorts ended inputs into the order in which they ended.
  func finishRestoring() {
    endedInputs.sort()
    // A lazy signal without returning subscribers has stopped.
    if body == nil { keptBody = nil }
  }
}

/// The saved state of a body that is not built yet; boxed, since most signals have none.
private final class KeptState {
  let decoder: StateDecoder

  init(_ decoder: StateDecoder) { self.decoder = decoder }
}
