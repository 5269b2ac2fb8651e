/// Holds the last value until a quiet period has passed.
///
/// One timer runs at a time; if there were values since it was set, it is set again for the rest of the wait.
@usableFromInline struct Debounce<Input, Failure: Error>: ScopedOperator {
  @usableFromInline let interval: Duration
  @usableFromInline let scheduler: any DateScheduler
  @usableFromInline let onCompletion: OnCompletion

  @usableFromInline struct Memory {
    @usableFromInline var pending: Input?
    @usableFromInline var due = Instant.zero
    @usableFromInline var isWaiting = false
    @usableFromInline var hasCompleted = false

    @inlinable init() {}
  }

  @inlinable init(interval: Duration, scheduler: any DateScheduler, onCompletion: OnCompletion) {
    self.interval = interval
    self.scheduler = scheduler
    self.onCompletion = onCompletion
  }

  @usableFromInline var deliverer: (any Scheduler)? { scheduler }

  @inlinable func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let (interval, onCompletion) = (interval, onCompletion)
    return Observer(
      link: TimedLink(Memory(), downstream, scope, scheduler) { Self.timeHasCome($0) },
      value: { link, value in
        link.memory.pending = value
        link.memory.due = link.scheduler.currentDate + interval
        if !link.memory.isWaiting { Self.wait(link) }
      },
      ending: { link, ending in
        if case .completed = ending, case .wait = onCompletion, link.memory.pending != nil {
          link.memory.hasCompleted = true
        } else {
          link.end(ending) { if case .flush = onCompletion { Self.sendPending($0) } }
        }
      })
  }

  @inlinable static func wait<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    link.memory.isWaiting = true
    link.wait(until: link.memory.due)
  }

  @inlinable static func timeHasCome<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    if link.memory.due <= link.moment { sendPending(link) } else { wait(link) }
  }

  @inlinable static func sendPending<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    link.memory.isWaiting = false
    guard let value = link.memory.pending else { return }
    link.memory.pending = nil
    link.downstream.receive(value)
    if link.memory.hasCompleted { link.downstream.end(.completed) }
  }
}

extension Debounce.Memory: StateCodable where Input: StateCodable {
  func encode(to writer: inout StateEncoder) {
    pending.encode(to: &writer)
    due.encode(to: &writer)
    isWaiting.encode(to: &writer)
    hasCompleted.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    self.init()
    (pending, due) = (try Input?(from: &reader), try Instant(from: &reader))
    (isWaiting, hasCompleted) = (try Bool(from: &reader), try Bool(from: &reader))
  }
}

extension Signal {
  /// A value once no other has followed it for `interval`.
  ///
  /// A value held when the signal completes is dropped. If `discardWhenCompleted` is false it is emitted when due, and
  /// the completion after it. Other endings drop it.
  ///
  /// - Parameters:
  ///   - interval: The time without another value after which a value is sent.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - discardWhenCompleted: Pass `false` to emit a value that is held at the completion.
  public func debounce(
    _ interval: Duration, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    debounce(interval, on: scheduler, onCompletion: discardWhenCompleted ? .discard : .wait)
  }

  /// A value once no other has followed it for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time without another value after which a value is sent.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - onCompletion: The treatment of a value that is held at the completion; other endings drop it.
  @inlinable public func debounce(
    _ interval: Duration, on scheduler: any DateScheduler, onCompletion: OnCompletion
  ) -> Signal<Value, Failure> {
    apply(Debounce(interval: interval, scheduler: scheduler, onCompletion: onCompletion))
  }
}

extension SignalProducer {
  /// A value once no other has followed it for `interval`.
  ///
  /// A value held when the producer completes is dropped. If `discardWhenCompleted` is false it is emitted when due,
  /// and the completion after it. Other endings drop it.
  ///
  /// - Parameters:
  ///   - interval: The time without another value after which a value is sent.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - discardWhenCompleted: Pass `false` to emit a value that is held at the completion.
  public func debounce(
    _ interval: Duration, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    debounce(interval, on: scheduler, onCompletion: discardWhenCompleted ? .discard : .wait)
  }

  /// A value once no other has followed it for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time without another value after which a value is sent.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - onCompletion: The treatment of a value that is held at the completion; other endings drop it.
  @inlinable public func debounce(
    _ interval: Duration, on scheduler: any DateScheduler, onCompletion: OnCompletion
  ) -> SignalProducer<Value, Failure> {
    apply(Debounce(interval: interval, scheduler: scheduler, onCompletion: onCompletion))
  }
}
