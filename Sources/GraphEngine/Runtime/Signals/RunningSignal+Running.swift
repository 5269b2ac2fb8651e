import GraphModel
import JSON
import Signals

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

  func stopListening() {
    observation?.dispose()
    observation = nil
    lastStep = nil
  }

  /// Ends its body once the present turn is over: its resources, such as a program, are no longer needed.
  func release() {
    guard let body else { return }
    if engine.turns.isRunning { engine.turns.atTurnEnd { body.end() } } else { body.end() }
  }

  // MARK: Runs of a cold signal

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
