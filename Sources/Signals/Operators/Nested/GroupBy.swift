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

extension Signal {
  /// A signal for each key: emitted at the key's first value, it emits the values that have the key.
  ///
  /// The groups end as this signal does, after the signal of groups. At the limit of open groups the oldest is
  /// completed for a new one, or the value with a new key is dropped, or it fails. RAC's `groupBy:`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  @inlinable public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupBy(key, limit, { $0 }))
  }

  /// A signal for each key, of values that are transformed; see `groupBy(_:limit:)`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  ///   - transform: Makes the value that the group emits.
  @inlinable public func groupBy<Key: Hashable, U>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil, transform: @escaping (Value) -> U
  ) -> Signal<GroupedSignal<Key, U, Failure>, Failure> {
    apply(GroupBy(key, limit, transform))
  }
}

extension SignalProducer {
  /// A signal for each key: emitted at the key's first value, it emits the values that have the key.
  ///
  /// The groups end as a run does, after the stream of groups. At the limit of open groups the oldest is completed for
  /// a new one, or the value with a new key is dropped, or it fails. RAC's `groupBy:`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  @inlinable public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil
  ) -> SignalProducer<GroupedSignal<Key, Value, Failure>, Failure> {
    apply(GroupBy(key, limit, { $0 }))
  }

  /// A signal for each key, of values that are transformed; see `groupBy(_:limit:)`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of groups that may be open, and the treatment of one more; unlimited by default.
  ///   - transform: Makes the value that the group emits.
  @inlinable public func groupBy<Key: Hashable, U>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>? = nil, transform: @escaping (Value) -> U
  ) -> SignalProducer<GroupedSignal<Key, U, Failure>, Failure> {
    apply(GroupBy(key, limit, transform))
  }
}
