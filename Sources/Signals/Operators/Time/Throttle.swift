/// Limits the rate to one value per interval: its first, its last at the end, or both.
struct Throttle<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler
  let sendsLeading: Bool
  let sendsTrailing: Bool
  let discardsWhenCompleted: Bool

  fileprivate struct Memory {
    var pending: Input?
    var end: Instant?
    var isWaiting = false
  }

  var deliverer: (any Scheduler)? { scheduler }

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: TimedLink(Memory(), downstream, scope, scheduler, whenDue: sendPending),
      value: { receive($1, $0) },
      ending: { link, ending in
        link.end(ending) { if !discardsWhenCompleted { sendPending($0) } }
      })
  }

  private func receive<Downstream: Receiver<Input, Failure>>(_ value: Input, _ link: TimedLink<Memory, Downstream>) {
    let now = scheduler.currentDate
    // A clock that was set back would prolong the interval.
    if let end = link.memory.end, now < end - interval { link.memory.end = nil }
    guard !link.memory.isWaiting || link.memory.end == nil else {
      link.memory.pending = value
      return
    }
    let isInside = link.memory.end.map { now < $0 } ?? false
    let end = isInside ? link.memory.end ?? now : now + interval
    link.memory.end = end
    if !isInside, sendsLeading {
      hold(value, link)
      link.hop(sendPending)
    } else if sendsTrailing {
      hold(value, link)
      link.wait(until: end)
    }
  }

  private func hold<Downstream: Receiver<Input, Failure>>(_ value: Input, _ link: TimedLink<Memory, Downstream>) {
    link.memory.pending = value
    link.memory.isWaiting = true
  }

  private func sendPending<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    link.memory.isWaiting = false
    guard let value = link.memory.pending else { return }
    link.memory.pending = nil
    link.memory.end = scheduler.currentDate + interval
    link.downstream.receive(value)
  }
}

extension Throttle.Memory: StateCodable where Input: StateCodable {
  func encode(to writer: inout StateEncoder) {
    pending.encode(to: &writer)
    end.encode(to: &writer)
    isWaiting.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    self.init(
      pending: try Input?(from: &reader), end: try Instant?(from: &reader), isWaiting: try Bool(from: &reader))
  }
}

extension Signal {
  /// At most one value in `interval`: the first at once, then the last of each interval at its end.
  ///
  /// Without `leading` a first value opens an interval and is sent at its end, unless another replaces it; without
  /// `trailing` all but the first are dropped. A value held when the signal completes is dropped, or sent before the
  /// completion if `discardWhenCompleted` is false; other endings drop it.
  ///
  /// - Parameters:
  ///   - interval: The least time between two values.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - leading: Pass `false` to hold back the first value of an interval.
  ///   - trailing: Pass `false` to drop all values of an interval but the first.
  ///   - discardWhenCompleted: Pass `false` to emit a value that is held at the completion.
  public func throttle(
    _ interval: Duration, on scheduler: any DateScheduler, leading: Bool = true, trailing: Bool = true,
    discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    apply(
      Throttle(
        interval: interval, scheduler: scheduler, sendsLeading: leading, sendsTrailing: trailing,
        discardsWhenCompleted: discardWhenCompleted))
  }
}

extension SignalProducer {
  /// At most one value in `interval`; see `Signal.throttle`.
  ///
  /// - Parameters:
  ///   - interval: The least time between two values.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  ///   - leading: Pass `false` to hold back the first value of an interval.
  ///   - trailing: Pass `false` to drop all values of an interval but the first.
  ///   - discardWhenCompleted: Pass `false` to emit a value that is held at the completion.
  public func throttle(
    _ interval: Duration, on scheduler: any DateScheduler, leading: Bool = true, trailing: Bool = true,
    discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    apply(
      Throttle(
        interval: interval, scheduler: scheduler, sendsLeading: leading, sendsTrailing: trailing,
        discardsWhenCompleted: discardWhenCompleted))
  }
}
