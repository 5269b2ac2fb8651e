// Intervals in seconds, ReactiveSwift's spelling: each of these operators forwards to the documented form that takes a
// `Duration`. Disfavoured, so that `.zero`, which both types have, means the duration.

public import Signals

extension Signal {
  /// `skip` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func skip(for seconds: Double, on scheduler: any DateScheduler) -> Signal<Value, Failure>
  {
    skip(for: .timeInterval(seconds), on: scheduler)
  }

  /// `take` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func take(for seconds: Double, on scheduler: any DateScheduler) -> Signal<Value, Failure>
  {
    take(for: .timeInterval(seconds), on: scheduler)
  }

  /// `uniqueValues` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle seconds: Double, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    uniqueValues(key, idle: .timeInterval(seconds), on: scheduler)
  }

  /// `groupBy` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle seconds: Double, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    groupBy(key, idle: .timeInterval(seconds), on: scheduler, limit: limit)
  }

  /// `audit` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func audit(_ seconds: Double, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    audit(.timeInterval(seconds), on: scheduler)
  }

  /// `buffer` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func buffer(
    _ seconds: Double, count: Int = .max, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> Signal<[Value], Failure> {
    buffer(.timeInterval(seconds), count: count, on: scheduler, limit: limit)
  }

  /// `debounce` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func debounce(
    _ seconds: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    debounce(.timeInterval(seconds), on: scheduler, discardWhenCompleted: discardWhenCompleted)
  }

  /// `debounce` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func debounce(
    _ seconds: Double, on scheduler: any DateScheduler, onCompletion: OnCompletion
  ) -> Signal<Value, Failure> {
    debounce(.timeInterval(seconds), on: scheduler, onCompletion: onCompletion)
  }

  /// `delay` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func delay(_ seconds: Double, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    delay(.timeInterval(seconds), on: scheduler)
  }

  /// `sample` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func sample(
    every seconds: Double, repeating: Bool = true, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    sample(every: .timeInterval(seconds), repeating: repeating, on: scheduler)
  }

  /// `throttle` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func throttle(
    _ seconds: Double, on scheduler: any DateScheduler, leading: Bool = true, trailing: Bool = true,
    discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    throttle(
      .timeInterval(seconds), on: scheduler, leading: leading, trailing: trailing,
      discardWhenCompleted: discardWhenCompleted)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    after seconds: Double, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    timeout(after: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    first seconds: Double, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    timeout(first: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(gap seconds: Double, raising error: Failure, on scheduler: any DateScheduler)
    -> Signal<Value, Failure>
  {
    timeout(gap: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    after seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    timeout(after: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    first seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    timeout(first: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    gap seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    timeout(gap: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `window` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func window(_ seconds: Double, on scheduler: any DateScheduler) -> Signal<
    [Value], Failure
  > {
    window(.timeInterval(seconds), on: scheduler)
  }
}

extension Signal where Failure == Never {
  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout<NewError>(
    after seconds: Double, raising error: NewError, on scheduler: any DateScheduler
  ) -> Signal<Value, NewError> {
    timeout(after: .timeInterval(seconds), raising: error, on: scheduler)
  }
}

extension SignalProducer {
  /// `skip` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func skip(for seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    Value, Failure
  > {
    skip(for: .timeInterval(seconds), on: scheduler)
  }

  /// `take` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func take(for seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    Value, Failure
  > {
    take(for: .timeInterval(seconds), on: scheduler)
  }

  /// `uniqueValues` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle seconds: Double, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    uniqueValues(key, idle: .timeInterval(seconds), on: scheduler)
  }

  /// `groupBy` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func groupBy<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle seconds: Double, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> SignalProducer<GroupedSignal<Key, Value, Failure>, Failure> {
    groupBy(key, idle: .timeInterval(seconds), on: scheduler, limit: limit)
  }

  /// `audit` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func audit(_ seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    Value, Failure
  > {
    audit(.timeInterval(seconds), on: scheduler)
  }

  /// `buffer` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func buffer(
    _ seconds: Double, count: Int = .max, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> SignalProducer<[Value], Failure> {
    buffer(.timeInterval(seconds), count: count, on: scheduler, limit: limit)
  }

  /// `debounce` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func debounce(
    _ seconds: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    debounce(.timeInterval(seconds), on: scheduler, discardWhenCompleted: discardWhenCompleted)
  }

  /// `debounce` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func debounce(
    _ seconds: Double, on scheduler: any DateScheduler, onCompletion: OnCompletion
  ) -> SignalProducer<Value, Failure> {
    debounce(.timeInterval(seconds), on: scheduler, onCompletion: onCompletion)
  }

  /// `delay` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func delay(_ seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    Value, Failure
  > {
    delay(.timeInterval(seconds), on: scheduler)
  }

  /// `delayStart` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func delayStart(_ seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    Value, Failure
  > {
    delayStart(.timeInterval(seconds), on: scheduler)
  }

  /// `sample` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func sample(
    every seconds: Double, repeating: Bool = true, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    sample(every: .timeInterval(seconds), repeating: repeating, on: scheduler)
  }

  /// `throttle` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func throttle(
    _ seconds: Double, on scheduler: any DateScheduler, leading: Bool = true, trailing: Bool = true,
    discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    throttle(
      .timeInterval(seconds), on: scheduler, leading: leading, trailing: trailing,
      discardWhenCompleted: discardWhenCompleted)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    after seconds: Double, raising error: Failure, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    timeout(after: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    first seconds: Double, raising error: Failure, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    timeout(first: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(gap seconds: Double, raising error: Failure, on scheduler: any DateScheduler)
    -> SignalProducer<Value, Failure>
  {
    timeout(gap: .timeInterval(seconds), raising: error, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    after seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    timeout(after: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    first seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    timeout(first: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout(
    gap seconds: Double, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    timeout(gap: .timeInterval(seconds), fallback: fallback, on: scheduler)
  }

  /// `window` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func window(_ seconds: Double, on scheduler: any DateScheduler) -> SignalProducer<
    [Value], Failure
  > {
    window(.timeInterval(seconds), on: scheduler)
  }

  /// `retry` with a pause in seconds, the same after each failure.
  ///
  /// - Precondition: `seconds` is a number, and `count` is not negative.
  @_disfavoredOverload public func retry(
    upTo count: Int, interval seconds: Double, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    retry(upTo: count, interval: .timeInterval(seconds), on: scheduler)
  }
}

extension SignalProducer where Failure == Never {
  /// `timeout` with an interval in seconds.
  ///
  /// - Precondition: `seconds` is a number, and the preconditions of the form with a duration hold.
  @_disfavoredOverload public func timeout<NewError>(
    after seconds: Double, raising error: NewError, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, NewError> {
    timeout(after: .timeInterval(seconds), raising: error, on: scheduler)
  }
}
