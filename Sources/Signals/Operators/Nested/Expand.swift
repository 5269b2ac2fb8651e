/// Recursive expansion: the values of the producer made of a value are values themselves.
private final class Expansion<Downstream: Receiver>: InnerReceiver, Disposable, @unchecked Sendable {
  typealias Value = Downstream.Value
  typealias Failure = Downstream.Failure

  let scope: Scope
  private let downstream: Downstream
  private let transform: (Value) -> SignalProducer<Value, Failure>
  private let bound: Bound<Failure>?

  private let lock = FutexLock()
  @exclusivity(unchecked) private var crew = Crew<Expansion>()
  @exclusivity(unchecked) private var waiting = Fifo<Value>()
  @exclusivity(unchecked) private var isSpreading = false
  @exclusivity(unchecked) private var isOuterCompleted = false
  @exclusivity(unchecked) private var isOver = false

  init(
    _ downstream: Downstream, in scope: Scope, _ bound: Bound<Failure>?,
    _ transform: @escaping (Value) -> SignalProducer<Value, Failure>
  ) {
    (self.downstream, self.scope, self.transform, self.bound) = (downstream, scope, transform, bound)
    scope.hold(self)
  }

  var isDisposed: Bool { lock.withLock { isOver } }

  func dispose() {
    let (runs, values) = lock.withLock {
      isOver = true
      defer { waiting.removeAll() }
      return (crew.removeAll(), waiting)
    }
    for run in runs { run.detach() }
    withExtendedLifetime(values) {}
  }

  func receive(_ value: Value, from run: InnerRun<Expansion>) { take(value) }

  func end(_ ending: Ending<Failure>, of run: InnerRun<Expansion>) {
    let isMember = lock.withLock { crew.remove(run) }
    guard isMember else { return }
    if case .failed = ending { return deliver(ending, to: downstream) }
    completeIfDone()
  }

  func hasBegunLater(_ run: InnerRun<Expansion>) {}

  func endOuter(_ ending: Ending<Failure>) {
    guard case .completed = ending else { return deliver(ending, to: downstream) }
    lock.withLock { isOuterCompleted = true }
    completeIfDone()
  }

  /// Emits a value, then starts its producer; in a loop, since that may send values at once.
  func take(_ value: Value) {
    let (error, isFirst): (Failure?, Bool) = lock.withLock {
      guard !isOver else { return (nil, false) }
      if let error = waiting.append(value, within: bound) { return (error, false) }
      defer { isSpreading = true }
      return (nil, !isSpreading)
    }
    if let error { return deliver(.failed(error), to: downstream) }
    guard isFirst else { return }
    while let (value, run) = lock.withLock({ next() }) {
      deliver(value, to: downstream)
      begin(transform(value), as: run)
    }
    completeIfDone()
  }

  /// Returns the next value and the run of its producer: counted before it begins, or the output would seem complete.
  private func next() -> (Value, InnerRun<Expansion>)? {
    guard !isOver, let value = waiting.popFirst() else {
      isSpreading = false
      return nil
    }
    let run = InnerRun(self)
    crew.add(run)
    return (value, run)
  }

  private func completeIfDone() {
    let isDone = lock.withLock { isOuterCompleted && crew.isEmpty && waiting.isEmpty && !isSpreading }
    if isDone { deliver(.completed, to: downstream) }
  }
}

extension Signal {
  /// The values, and in turn those of the producers that `transform` makes of each; Rx's `expand`.
  ///
  /// A failure of any of them ends it; it completes when all have. Producers that send at once are expanded in the
  /// order of their values, so values may have to wait.
  ///
  /// - Parameters:
  ///   - limit: The number of values that may wait to be expanded, and the treatment of one more; unlimited by default.
  ///   - transform: Makes the producer for a value; `.empty` ends the branch.
  public func expand(
    limit: Bound<Failure>? = nil, _ transform: @escaping (Value) -> SignalProducer<Value, Failure>
  ) -> Signal<Value, Failure> {
    .joined { derived, scope in
      let expansion = Expansion(derived, in: scope, limit, transform)
      attach(Observer(link: expansion, value: { $0.take($1) }, ending: { $0.endOuter($1) }), for: scope)
    }
  }
}

extension SignalProducer {
  /// The values, and in turn those of the producers that `transform` makes of each; Rx's `expand`.
  ///
  /// A failure of any of them ends it; it completes when all have. Producers that send at once are expanded in the
  /// order of their values, so values may have to wait.
  ///
  /// - Parameters:
  ///   - limit: The number of values that may wait to be expanded, and the treatment of one more; unlimited by default.
  ///   - transform: Makes the producer for a value; `.empty` ends the branch.
  public func expand(
    limit: Bound<Failure>? = nil, _ transform: @escaping (Value) -> SignalProducer<Value, Failure>
  ) -> SignalProducer<Value, Failure> {
    .joined { relay, run in
      let expansion = Expansion(relay, in: run, limit, transform)
      start(Observer(link: expansion, value: { $0.take($1) }, ending: { $0.endOuter($1) }), as: Run()) { run.hold($0) }
    }
  }
}
