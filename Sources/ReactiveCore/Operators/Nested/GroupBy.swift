@usableFromInline struct GroupBy<Value, Key: Hashable, Element, Failure: Error>: Operator {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = GroupedSignal<Key, Element, Failure>

  @usableFromInline let key: (Value) -> Key
  @usableFromInline let transform: (Value) -> Element
  @usableFromInline let limit: Bound<Failure>?

  @inlinable init(
    _ key: @escaping (Value) -> Key, _ limit: Bound<Failure>?, _ transform: @escaping (Value) -> Element
  ) {
    self.key = key
    self.transform = transform
    self.limit = limit
  }

  @inlinable func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Value, Failure> {
    Observer(link: Grouping(self, downstream), value: { $0.receive($1) }, ending: { $0.end($1) })
  }
}

/// Groups that complete when they have been sent nothing for a while.
///
/// Each has one timer at a time; if values have come since it was set, it is set anew for what is left of the while.
struct GroupByUntilIdle<Value, Key: Hashable, Element, Failure: Error>: ScopedOperator {
  typealias Input = Value
  typealias Output = GroupedSignal<Key, Element, Failure>

  let plan: GroupBy<Value, Key, Element, Failure>
  let idle: Duration
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Value, Failure> {
    Observer(
      link: Grouping(plan, downstream),
      value: { grouping, value in
        let opened = grouping.receive(value)
        let now = scheduler.currentDate
        guard let opened else {
          grouping.groups[plan.key(value)]?.lastSeen = now
          return
        }
        opened.group.lastSeen = now
        let timer = SerialDisposable()
        scope.hold(timer)
        wait(for: opened.group, opened.key, of: grouping, timer, scope)
      },
      ending: { $0.end($1) })
  }

  private func wait<Downstream: Receiver<Output, Failure>>(
    for group: Group<Element, Failure>, _ key: Key, of grouping: Grouping<Value, Key, Element, Downstream>,
    _ timer: SerialDisposable, _ scope: Scope
  ) {
    timer.inner = scheduler.schedule(after: group.lastSeen + idle) { [weak grouping] in
      scope.perform {
        guard let grouping, group.isOpen else { return timer.dispose() }
        if group.lastSeen + idle > scheduler.currentDate {
          wait(for: group, key, of: grouping, timer, scope)
        } else {
          grouping.close(key, group)
          timer.dispose()
        }
      }
    }
  }
}

extension Signal {
  /// A signal for each key: sent when its first value comes, it sends the values that have the key.
  ///
  /// The groups end as this signal does, after the signal of groups. At the limit of open groups the oldest is completed
  /// for a new one, or the value with a new key is dropped, or it fails. RAC's `groupBy:`.
  @inlinable public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupBy(key, limit, { $0 }))
  }

  /// A signal for each key, of values that are transformed; see `groupBy(_:limit:)`.
  @inlinable public func groupBy<Key: Hashable, U>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil, transform: @escaping (Value) -> U
  ) -> Signal<GroupedSignal<Key, U, Failure>, Failure> {
    apply(GroupBy(key, limit, transform))
  }

  /// A signal for each key, which completes when no value has come for `idle` seconds; a later one opens another.
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Double, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupByUntilIdle(plan: GroupBy(key, limit, { $0 }), idle: .timeInterval(idle), scheduler: scheduler))
  }
}

extension SignalProducer {
  /// A signal for each key: sent when its first value comes, it sends the values that have the key.
  ///
  /// The groups end as a run does, after the stream of groups. At the limit of open groups the oldest is completed for a
  /// new one, or the value with a new key is dropped, or it fails. RAC's `groupBy:`.
  @inlinable public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil
  ) -> SignalProducer<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupBy(key, limit, { $0 }))
  }

  /// A signal for each key, of values that are transformed; see `groupBy(_:limit:)`.
  @inlinable public func groupBy<Key: Hashable, U>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil, transform: @escaping (Value) -> U
  ) -> SignalProducer<GroupedSignal<Key, U, Failure>, Failure> {
    apply(GroupBy(key, limit, transform))
  }

  /// A signal for each key, which completes when no value has come for `idle` seconds; a later one opens another.
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Double, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> SignalProducer<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupByUntilIdle(plan: GroupBy(key, limit, { $0 }), idle: .timeInterval(idle), scheduler: scheduler))
  }
}
