/// Groups that complete after an idle time.
///
/// One timer serves all: it is set for the group longest idle.
struct GroupByUntilIdle<Value, Key: Hashable, Element, Failure: Error>: ScopedOperator {
  typealias Input = Value
  typealias Output = GroupedSignal<Key, Element, Failure>

  let plan: GroupBy<Value, Key, Element, Failure>
  let idle: Duration
  let scheduler: any DateScheduler

  private struct Memory<Downstream: Receiver> where Downstream.Value == Output, Downstream.Failure == Failure {
    let grouping: Grouping<Value, Key, Element, Downstream>
    var isWaiting = false
  }

  func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Value, Failure> {
    let memory = Memory(grouping: Grouping(plan, downstream))
    return Observer(
      link: TimedLink(memory, downstream, scope, scheduler, whenDue: closeIdle),
      value: { link, value in
        guard let group = link.memory.grouping.receive(value), group.isOpen else { return }
        link.memory.grouping.watched.touch(group, at: scheduler.currentDate)
        if !link.memory.isWaiting { wait(link) }
      },
      ending: { $0.memory.grouping.end($1) })
  }

  private func wait<Downstream: Receiver<Output, Failure>>(_ link: TimedLink<Memory<Downstream>, Downstream>) {
    let oldest = link.memory.grouping.watched.oldest
    link.memory.isWaiting = oldest != nil
    if let oldest { link.wait(until: oldest.lastSeen + idle) }
  }

  private func closeIdle<Downstream: Receiver<Output, Failure>>(_ link: TimedLink<Memory<Downstream>, Downstream>) {
    let (grouping, moment) = (link.memory.grouping, link.moment)
    while let oldest = grouping.watched.oldest, oldest.lastSeen + idle <= moment {
      grouping.close(oldest)
    }
    wait(link)
  }
}

extension Signal {
  /// A signal for each key, which completes when there was no value for `idle`; a later one opens another.
  ///
  /// See `groupBy(_:limit:)` about endings and the limit of open groups.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - idle: The time without a value after which a group completes.
  ///   - scheduler: The scheduler that measures the time and completes idle groups.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Duration, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupByUntilIdle(plan: GroupBy(key, limit, { $0 }), idle: idle, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// A signal for each key, which completes when there was no value for `idle`; a later one opens another.
  ///
  /// See `groupBy(_:limit:)` about endings and the limit of open groups.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - idle: The time without a value after which a group completes.
  ///   - scheduler: The scheduler that measures the time and completes idle groups.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Duration, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> SignalProducer<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupByUntilIdle(plan: GroupBy(key, limit, { $0 }), idle: idle, scheduler: scheduler))
  }
}
