import JSON
import ReactiveCore

/// A signal under its name: what clients send to, subscribe to and get.
///
/// It outlives reloads: the body behind a name may be replaced, while the sequence number goes on and its
/// listeners stay attached.
package final class RunningSignal {
  package private(set) var declaration: SignalDeclaration
  let engine: GraphEngine
  /// The tally of its graph in the present turn.
  let tally: TurnTally
  /// Where it stands among all signals, each behind everything that it is computed from.
  var order: UInt32 = 0
  /// Where it stands in the file.
  package internal(set) var position: UInt32 = 0
  /// Where values from outside enter, for an input or a property.
  var inlet: Inlet?

  /// The number of the last value so far; 0 before the first.
  package private(set) var sequence: UInt64 = 0
  /// When its last value came, in microseconds since 1970.
  package private(set) var lastTime: Int64?
  /// How it came to its end, if it has.
  package private(set) var end: SignalEnd?
  /// The memory of its values, where it needs one.
  private var memory: SignalMemory?
  package private(set) var losses = Losses()

  /// Called for each event once it has been counted and retained.
  package var observer: ((SignalEvent) -> Void)?
  /// Called before it forgets the values that it keeps for newcomers.
  package var willForget: (() -> Void)?
  /// Whether its events go to the mirror of another runtime, after the observer.
  package var isReflected = false
  /// Whether it only repeats what another runtime makes.
  package private(set) var isMirror = false
  /// Whether it has adopted values of which those that hang on it have not heard.
  private var hasUnheard = false
  /// The greatest number that it had before it became a mirror, whose original may count from a lower one.
  private var ownSequence: UInt64 = 0

  private var body: RunningBody?
  private var observation: (any Disposable)?
  /// The last operator of its body, where the signal does it itself.
  private var lastStep: Step?
  /// Where other signals hang on it; made when the first one does.
  private var outlet: Outlet?
  var endedInputs = EndedInputs()
  /// The kept state of its body, until it is built.
  private var keptBody: StateReader?
  /// Whether its body has forgotten its kept state, with which a test shows that it matters.
  var isForgetful = false
  private var listeners = Listeners()
  /// Whether it is at work, and what is sent to it comes out as it is.
  private var isOpen = false

  /// - Parameter sequence: The number of the last value that a signal of this name had.
  init(_ declaration: SignalDeclaration, sequence: UInt64, engine: GraphEngine) {
    self.declaration = declaration
    self.sequence = sequence
    self.engine = engine
    tally = engine.tally(ofGraphOf: declaration.name)
    isMirror = engine.mirrors.contains(declaration)
    forget()
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
  /// Whether somebody outside makes its values of those that are sent to it.
  package var hasVoiceOutside: Bool { inlet?.hasVoiceApart ?? false }
  package var isHeld: Bool { !retained.isEmpty }
  /// Whether it runs for each subscriber by itself: see `GraphRuntime.startRun`.
  package var isCold: Bool { declaration.traits.run == .cold }
  /// Whether it runs only while somebody listens: see `GraphRuntime.attach`.
  package var isLazy: Bool { declaration.traits.run == .lazy }

  /// The values that a newcomer is given, oldest first.
  package var retained: Retention {
    guard let memory else { return .none }
    memory.retention.expire(at: engine.clock.now)
    return memory.retention
  }

  /// Whether the newest value is kept until another comes, or until it says that it forgets.
  package var keepsNewest: Bool { memory?.retention.keepsNewest ?? false }

  /// Takes over what applies without starting afresh: documentation and visibility.
  func apply(_ declaration: SignalDeclaration) {
    self.declaration = declaration
    let wasMirror = isMirror
    isMirror = engine.mirrors.contains(declaration)
    if wasMirror, !isMirror { sequence = max(sequence, ownSequence) }
  }

  /// Widens what newcomers are given.
  func retain(atLeast count: Int) {
    let memory = remembering()
    if memory.retention.capacity < count { memory.retention = Retention(capacity: count) }
  }

  /// Forgets all values.
  private func forget() {
    willForget?()
    let policy = declaration.traits.retention
    let isRecorded = memory?.isRecorded ?? false
    memory = policy.count > 0 || isRecorded ? SignalMemory(policy, isRecorded: isRecorded) : nil
    // Others have this from the building of their source.
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
  /// Forgets everything but the name and the sequence number, and who listens.
  func reset() {
    inlet = nil
    end = nil
    forget()
  }

  /// Builds its body, if it is to run now and does not: a lazy one that somebody listens to, unless it has ended.
  func build() {
    guard body == nil, ending == nil, !isCold, !isMirror, !isLazy || !listeners.isEmpty else { return }
    let body = RunningBody(of: self, for: BodyOwner(signal: self), view: .connected, kept: keptBody.take())
    if isForgetful { body.forgetKept() }
    self.body = body
    var (stream, last) = body.buildNamed()
    if let initial = declaration.traits.initial {
      stream = body.prefix(last.map(stream.through) ?? stream, [.value(initial)])
      last = nil
    }
    lastStep = last
    isOpen = declaration.body.pipe.isEmpty && inlet?.isOpen ?? false
    observation = stream.observe(
      StreamObserver(link: self, value: { $0.take($1) }, ending: { $0.end(SignalEnding($1)) }))
  }

  /// Takes what comes before the last operator, if it does that one itself.
  private func take(_ payload: Payload) {
    guard let lastStep else { return receive(payload) }
    lastStep(payload, StreamObserver(link: self, value: { $0.receive($1) }, ending: { $0.end(SignalEnding($1)) }))
  }

  /// Lets its first values happen, within a turn.
  func start() {
    tally.expectFirstValue(in: engine.turns.number)
    body?.start()
    tellAdopted()
  }

  /// Whether it is at work now, be it in runs of its own.
  var isRunning: Bool { ending == nil && (body != nil || !coldRuns.isEmpty) }

  /// Whether it has to fetch something from the world to go on.
  var isWaitingForWorld: Bool { body?.isWaiting ?? false || listeners.coldRuns.contains(where: \.isWaitingForWorld) }

  /// Fetches from the world what it needs to go on, within a turn.
  func attachToWorld() {
    body?.start()
    for run in listeners.coldRuns { run.attachToWorld() }
  }

  /// Ends its body, and the runs of a cold one, without a word to those who listen.
  func stop() {
    isOpen = false
    for run in listeners.coldRuns { run.halt() }
    stopListening()
    body?.end()
    body = nil
    outlet = nil
    memory?.forgetTurn()
    endedInputs.removeAll()
  }

  /// Makes ready what in it has ended and is computed from signals that start anew; the rest of it goes on.
  ///
  /// - Returns: What has to be started for that.
  func rejoin(_ renewed: Set<String>) -> [RunningBody] { endedInputs.rejoin(renewed) }

  /// Puts those that hang on it into the order of the graph.
  func sortDependents() { outlet?.sort() }

  /// Takes a value that its body made: bounds it, counts it, retains it and passes it on.
  func receive(_ payload: Payload) {
    if ending == nil, admits(payload) { deliver(payload) }
  }

  /// Counts a value, retains it and passes it on, whatever the bounds.
  func deliver(_ payload: Payload) {
    sequence += 1
    lastTime = engine.clock.microseconds
    memory?.append(payload, sequence: sequence, in: engine)
    observer?(.next(payload, sequence: sequence))
    if let watch = engine.watch {
      watch.tell(.next(payload, sequence: sequence), by: self) { outlet?.send(payload) }
    } else {
      outlet?.send(payload)
    }
    if isReflected { engine.mirrors.onEvent(self, .next(payload, sequence: sequence)) }
  }

  /// Whether all there is to do with a value that is sent here is to count it and to tell the observer.
  ///
  /// So it is with an input for anything without operators, from which nothing is computed and which keeps nothing for
  /// newcomers: a sender need not make a value of what came, see `relay`.
  package var isRelay: Bool {
    isOpen && !hasDependents && ending == nil && memory == nil && !isReflected
  }

  /// Counts a value that somebody else passes on to those whom the observer would have told.
  ///
  /// - Returns: its number.
  package func relay() -> UInt64 {
    sequence += 1
    lastTime = engine.clock.microseconds
    return sequence
  }

  /// Repeats an event of its original.
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

  /// Counts on above a number that was given to a value elsewhere.
  package func skipNumbers(to number: UInt64) { sequence = max(sequence, number) }

  /// Takes over the values, the number and the ending of its original as they are, without a word to those who listen.
  ///
  /// - Parameters:
  ///   - onlyNumber: Whether the original begins afresh, so that only its number goes on.
  ///   - isHeard: Whether those that hang on it know of them.
  ///   - ahead: How far the clock here is ahead of the original's.
  package func adopt(_ original: RunningSignal, onlyNumber: Bool, isHeard: Bool, ahead: Duration) {
    ownSequence = max(ownSequence, sequence)
    sequence = original.sequence
    if onlyNumber { return }
    hasUnheard = !isHeard
    willForget?()
    lastTime = original.lastTime
    end = original.end
    losses = original.losses
    if let kept = original.memory { remembering().retention = kept.retention.moved(by: ahead) }
  }

  /// Has those that hang on it hear what it has adopted since they were built, as they would had they come after that.
  func tellAdopted() {
    if !hasUnheard { return }
    hasUnheard = false
    for payload in earlier(for: .connected) { outlet?.send(payload) }
    guard let ending else { return }
    outlet?.end(with: ending)
    outlet = nil
  }

  /// Ends it as its body did.
  ///
  /// - Parameter cause: The signal for whose ending it does, where that is known elsewhere.
  func end(_ ending: SignalEnding, because cause: String? = nil) {
    guard end == nil, !engine.isOver else { return }
    end = engine.note(ending, of: self, because: cause)
    stopListening()
    observer?(.ended(ending))
    engine.onEnding(self)
    if let watch = engine.watch {
      watch.tell(.ended(ending), by: self) { outlet?.end(with: ending) }
    } else {
      outlet?.end(with: ending)
    }
    outlet = nil
    if isReflected { engine.mirrors.onEvent(self, .ended(ending)) }
    letGo()
  }

  private func stopListening() {
    observation?.dispose()
    observation = nil
    lastStep = nil
  }

  /// Ends its body once nobody is in the middle of it: what it runs, a program perhaps, is of no use any more.
  private func letGo() {
    guard let body else { return }
    if engine.turns.isRunning { engine.turns.atTurnEnd { body.end() } } else { body.end() }
  }

  /// Counts something that was lost, or a program.
  func count(_ event: Losses.Event) {
    losses.count(event)
    engine.onLoss(self, event)
  }

  /// Whether a value is within bounds; if not it is dropped, for everyone behind it too.
  func admits(_ value: Payload) -> Bool {
    let limits = engine.limits
    guard tally.admitsValue(in: engine.turns.number, limit: limits.turn) else {
      drop(past: "more than \(limits.turn) values in one turn (limits.turn)")
      return false
    }
    guard value.isWithin(bytes: limits.value) else {
      drop(past: "a value of more than \(limits.value) bytes (limits.value)")
      return false
    }
    losses.pass()
    return true
  }

  /// Counts a value that was lost to one of the bounds of all graphs, and tells of the first after one that was not.
  ///
  /// - Parameters:
  ///   - told: The message to clients about the bound, where it differs from that to the log.
  ///   - operatorName: Where it was lost; behind the last operator where nothing is said.
  func drop(
    past bound: @autoclosure () -> String, told: @autoclosure () -> String? = nil, in operatorName: String? = nil
  ) {
    guard drop(bound()) else { return }
    let body = declaration.body
    engine.report(
      pastBound: told() ?? bound(), of: operatorName ?? body.pipe.last?.name ?? body.source.name, in: self)
  }

  /// Counts a value that was lost to a bound, with a word about the first after one that was not.
  ///
  /// - Returns: Whether it was the first.
  @discardableResult func drop(_ reason: @autoclosure () -> String) -> Bool {
    let isFirst = losses.drop()
    engine.onLoss(self, .drop)
    if isFirst { engine.world.log(reason(), signal: name) }
    return isFirst
  }
}

// MARK: - Who listens

extension RunningSignal {
  /// The view of it from another body: the values for a newcomer, once it starts, and then everything that comes.
  ///
  /// - Parameter place: Where a body that was chosen while the graph runs sees it.
  func stream(for newcomer: RunningBody, at place: DeclaredPlace) -> Stream {
    if isCold { return ownRun(for: newcomer) }
    if isLazy { listen(newcomer) }
    let earlier = earlier(for: newcomer.view)
    if let ending { return newcomer.generate(earlier, then: ending) }
    let output = output(to: newcomer)
    let live = newcomer.view == .connected ? output : Gate.stream(of: output, at: place)
    return earlier.isEmpty ? live : newcomer.prefix(live, earlier)
  }

  private func earlier(for view: RunningBody.View) -> [Payload] {
    let retained = retained.all
    guard view == .presentTurn, let present = memory?.presentTurn, let first = present.first else {
      return retained.map(\.payload)
    }
    return (retained.prefix { $0.sequence < first.sequence } + present).map(\.payload)
  }

  /// Has the values of each turn remembered until its end, for those who choose this signal in that turn.
  func recordTurns() { remembering().isRecorded = true }

  /// Whether another signal hangs on it.
  var hasDependents: Bool { outlet.map { !$0.isEmpty } ?? false }

  private func output(to body: RunningBody) -> Stream {
    let outlet = outlet ?? Outlet()
    self.outlet = outlet
    return outlet.stream(for: body)
  }

  private func ownRun(for newcomer: RunningBody) -> Stream {
    let kept = KeptBody()
    let run = RunningBody(of: self, for: newcomer.owner, view: newcomer.view, kept: kept.kept)
    kept.body = run
    let stream = run.build()
    newcomer.add(run)
    newcomer.onEnd { run.end() }
    return stream
  }

  private func listen(_ newcomer: RunningBody) {
    arrive()
    build()
    newcomer.onStart { [self] in start() }
    newcomer.onEnd { [self] in leave() }
  }

  /// Whether somebody listens.
  package var isAttended: Bool { !listeners.isEmpty }

  /// Somebody listens from now on; a lazy signal has to be built and started for it.
  package func arrive() {
    listeners.arrive()
    if isMirror, isLazy, listeners.count == 1 { engine.mirrors.onListening(self, true) }
  }

  /// Somebody does not listen any more: a lazy signal stops when the last one does.
  func leave() {
    listeners.leave()
    if isMirror, isLazy, listeners.isEmpty { engine.mirrors.onListening(self, false) }
    if !engine.isReplacing { rest() }
  }

  /// Stops a lazy signal that nobody listens to.
  func rest() {
    if isLazy, listeners.isEmpty, body != nil { stop() }
  }
}

// MARK: - Runs of a cold signal

extension RunningSignal {
  func add(_ run: ColdRun) { listeners.add(run) }

  /// In the order of their arrival.
  var coldRuns: [ColdRun] { listeners.coldRuns }

  /// Builds those that go on from what was kept of them.
  func beginKeptRuns() {
    for run in coldRuns { run.resume() }
  }

  func forget(_ run: ColdRun) { listeners.forget(run) }

  /// Begins those runs anew that a reload has halted, each as a turn.
  func beginRuns() {
    for run in coldRuns { engine.turns.run { run.begin() } }
  }

  /// Goes on counting where the runs of the cold signal that it was are.
  func adoptNumbers() {
    if !isCold { sequence = coldRuns.reduce(sequence) { max($0, $1.sequence) } }
  }
}

// MARK: - Saving

extension RunningSignal {
  /// Writes down all that it needs to go on elsewhere; who listens is left out.
  func store(in writer: inout StateWriter) {
    sequence.store(in: &writer)
    lastTime.store(in: &writer)
    end.store(in: &writer)
    losses.store(in: &writer)
    endedInputs.count.store(in: &writer)
    (memory != nil).store(in: &writer)
    memory?.retention.expire(at: engine.clock.now)
    memory?.store(in: &writer)
    let body = body.flatMap { $0.hasEnded ? nil : $0 }
    (body != nil).store(in: &writer)
    if let body { writer.part { body.store(in: &$0) } }
  }

  /// Goes on from what was written down; its body does once it is built.
  func restore(from reader: inout StateReader) throws(StateError) {
    sequence = try UInt64(from: &reader)
    lastTime = try Int64?(from: &reader)
    end = try SignalEnd?(from: &reader)
    losses = try Losses(from: &reader)
    endedInputs.restore(count: try Int(from: &reader))
    if try Bool(from: &reader) { try remembering().restore(from: &reader) }
    keptBody = try Bool(from: &reader) ? try reader.part() : nil
    if !reader.isAtEnd { throw StateError("more was kept of \(name) than it remembers") }
  }

  /// All parts of its body are there: those that have heard an input end are told of it again in the order in which
  /// they heard it.
  func finishRestoring() {
    endedInputs.sort()
    // A lazy one to which nobody came back has stopped.
    if body == nil { keptBody = nil }
  }
}
