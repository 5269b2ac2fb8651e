// Runs are selected under a separate lock, held for a few instructions, so that every event is handled at once by its
// thread. The domain is taken for deliveries only. Runs are started, disposed of and released outside of both.

/// The inner runs of a flattened stream, selected and waiting.
@usableFromInline final class Flattening<Downstream: Receiver>: InnerReceiver, Disposable, @unchecked Sendable {
  @usableFromInline typealias Value = Downstream.Value
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Inner = InnerRun<Flattening>
  @usableFromInline typealias Producer = SignalProducer<Value, Failure>

  @usableFromInline let scope: Scope
  @usableFromInline let downstream: Downstream
  @usableFromInline let strategy: FlattenStrategy.Kind
  @usableFromInline let bound: Bound<Failure>?

  @usableFromInline let lock = FutexLock()
  @exclusivity(unchecked) @usableFromInline var crew = Crew<Flattening>()
  @exclusivity(unchecked) @usableFromInline var waiting = Fifo<Producer>()
  @exclusivity(unchecked) @usableFromInline var isOuterCompleted = false
  @exclusivity(unchecked) @usableFromInline var hasWinner = false
  @exclusivity(unchecked) @usableFromInline var isOver = false

  @inlinable init(
    _ downstream: Downstream, in scope: Scope, _ strategy: FlattenStrategy, _ bound: Bound<Failure>?
  ) {
    self.scope = scope
    self.downstream = downstream
    self.strategy = strategy.kind
    self.bound = bound
    scope.hold(self)
  }

  @usableFromInline var isDisposed: Bool { lock.withLock { isOver } }

  @usableFromInline func dispose() {
    let (runs, producers) = lock.withLock {
      isOver = true
      defer { waiting.removeAll() }
      return (crew.removeAll(), waiting)
    }
    for run in runs { run.detach() }
    withExtendedLifetime(producers) {}
  }

  /// True when the outer stream and all runs, active or waiting, have ended; read under the lock.
  @inlinable var isComplete: Bool { isOuterCompleted && crew.isEmpty && waiting.isEmpty }
}

// MARK: Events

extension Flattening {
  @inlinable @inline(__always) func receive(_ value: Value, from run: Inner) {
    if case .race = strategy, !wins(run) { return }
    if scope.enter() {
      if run.isListenedTo { downstream.receive(value) }
      scope.leave()
    } else {
      scope.queue { [self] in
        if run.isListenedTo { downstream.receive(value) }
      }
    }
  }

  @inlinable func end(_ ending: Ending<Failure>, of run: Inner) {
    if case .race = strategy, !wins(run) { return }
    let (isMember, isStarting, isComplete) = lock.withLock { (crew.remove(run), run.isStarting, self.isComplete) }
    guard isMember else { return }
    switch (ending, strategy) {
    case (.failed, _), (.interrupted, .race), (.interrupted, .throttle): deliver(ending, to: downstream)
    default:
      if isComplete { deliver(.completed, to: downstream) } else if !isStarting { startNext() }
    }
  }

  @inlinable func hasBegunLater(_ run: Inner) {
    guard isLimited else { return }
    lock.withLock { run.isStarting = false }
    startNext()
  }

  /// Handles a new inner stream.
  @inlinable @inline(__always) func arrive(_ producer: Producer) {
    if needsNoRun(producer) { return take(producer) }
    switch strategy {
    case .concurrent: line(up: producer)
    case .latest, .race, .throttle: start(producer)
    }
  }

  /// Handles the ending of the outer stream.
  @inlinable func endOuter(_ ending: Ending<Failure>) {
    guard case .completed = ending else { return deliver(ending, to: downstream) }
    let isComplete = lock.withLock {
      isOuterCompleted = true
      return self.isComplete
    }
    if isComplete { deliver(.completed, to: downstream) }
  }
}

// MARK: Consequences

extension Flattening {
  /// True for events known in advance, if there is nothing that they could have to wait for.
  @inlinable @inline(__always) func needsNoRun(_ producer: Producer) -> Bool {
    guard producer.known != nil else { return false }
    return switch strategy {
    case .concurrent(.max), .latest: true
    default: false
    }
  }

  @inlinable @inline(__always) func take(_ producer: Producer) {
    switch producer.known?() {
    case .value(let value):
      leaveLatest()
      deliver(value, to: downstream)
    case .ending(let ending):
      leaveLatest()
      if case .failed = ending { deliver(ending, to: downstream) }
    case .signal(let signal): join(followsSignal: true)?.follow(signal)
    case nil: break
    }
  }

  /// Detaches the present run, if the strategy is `latest`.
  @inlinable func leaveLatest() {
    if case .latest = strategy { lock.withLock { crew.removeLast() }?.detach() }
  }

  /// True if a run excludes all others; read under the lock.
  @inlinable var isTaken: Bool {
    switch strategy {
    case .race: hasWinner
    case .throttle: !crew.isEmpty
    case .concurrent, .latest: false
    }
  }

  @inlinable func start(_ producer: Producer) {
    if let run = join() { begin(producer, as: run) }
  }

  /// Adds a run, unless the strategy excludes it; with `latest` it replaces the previous one.
  @inlinable func join(followsSignal: Bool = false) -> Inner? {
    let (run, former): (Inner?, Inner?) = lock.withLock {
      guard !isOver, !isTaken else { return (nil, nil) }
      var former: Inner?
      if case .latest = strategy { former = crew.removeLast() }
      let run = Inner(self, followsSignal: followsSignal)
      crew.add(run)
      return (run, former)
    }
    former?.detach()
    return run
  }

  /// True if this run is the selected one because it emitted first.
  @inlinable func wins(_ run: Inner) -> Bool {
    let losers: [Inner]? = lock.withLock {
      guard !hasWinner else { return run.place >= 0 ? [] : nil }
      hasWinner = true
      return crew.removeAll(except: run)
    }
    for loser in losers ?? [] { loser.detach() }
    return losers != nil
  }
}

// MARK: Sequencing

extension Flattening {
  /// True if inner streams may have to wait.
  @inlinable var isLimited: Bool {
    if case .concurrent(let limit) = strategy { limit < .max } else { false }
  }

  @inlinable func line(up producer: Producer) {
    guard isLimited else { return start(producer) }
    if let error = lock.withLock({ append(producer) }) {
      deliver(.failed(error), to: downstream)
    } else {
      startNext()
    }
  }

  /// Adds a waiting stream; returns the error if it is too much.
  @inlinable func append(_ producer: Producer) -> Failure? {
    isOver ? nil : waiting.append(producer, within: hasRoom ? nil : bound)
  }

  @inlinable var hasRoom: Bool {
    if case .concurrent(let limit) = strategy { crew.count < limit } else { false }
  }

  /// Starts waiting streams, up to the limit.
  ///
  /// A run may end during its start: then its ending leaves the continuation to this loop.
  @inlinable func startNext() {
    while let (run, producer) = lock.withLock({ next() }) {
      if begin(producer, as: run) { lock.withLock { run.isStarting = false } }
    }
  }

  @inlinable func next() -> (Inner, Producer)? {
    guard !isOver, hasRoom, let producer = waiting.popFirst() else { return nil }
    let run = Inner(self)
    crew.add(run)
    return (run, producer)
  }
}
