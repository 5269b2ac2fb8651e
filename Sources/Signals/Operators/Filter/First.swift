/// The first value for which `match` returns a result.
@inlinable @inline(__always) func finding<Value, Found, Failure>(
  _ match: @escaping (_ index: Int, Value) -> Found?
) -> StepMap<Value, Int, Found, Failure> {
  StepMap(0) { index, value in
    defer { index += 1 }
    return match(index, value).map { .last($0) } ?? .skip
  }
}

@inlinable @inline(__always) func keepingLast<Value, Failure>(
  where isIncluded: @escaping (Value) -> Bool
) -> Fold<Value, Value?, Value, Failure> {
  Fold(nil, { if isIncluded($1) { $0 = $1 } }, finish: { $0 })
}

extension Signal {
  /// The first value that matches; then it completes.
  @inlinable public func first(where isIncluded: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    apply(finding { isIncluded($1) ? $1 : nil })
  }

  /// The number, counted from 0, of the first value that matches; then it completes.
  @inlinable public func firstIndex(where isIncluded: @escaping (Value) -> Bool) -> Signal<Int, Failure> {
    apply(finding { isIncluded($1) ? $0 : nil })
  }

  /// The last value that matches, when this signal completes.
  @inlinable public func last(where isIncluded: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    apply(keepingLast(where: isIncluded))
  }

  /// The value with this number, counted from 0; then it completes.
  ///
  /// Rx's `elementAt`.
  ///
  /// - Precondition: `index` is not negative.
  @inlinable public func element(at index: Int) -> Signal<Value, Failure> {
    precondition(index >= 0, "the number of a value cannot be negative")
    return apply(finding { $0 == index ? $1 : nil })
  }
}

extension SignalProducer {
  /// The first value that matches; then it completes.
  @inlinable public func first(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(finding { isIncluded($1) ? $1 : nil })
  }

  /// The number, counted from 0, of the first value that matches; then it completes.
  @inlinable public func firstIndex(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Int, Failure> {
    apply(finding { isIncluded($1) ? $0 : nil })
  }

  /// The last value that matches, when this producer completes.
  @inlinable public func last(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(keepingLast(where: isIncluded))
  }

  /// The value with this number, counted from 0; then it completes.
  ///
  /// Rx's `elementAt`.
  ///
  /// - Precondition: `index` is not negative.
  @inlinable public func element(at index: Int) -> SignalProducer<Value, Failure> {
    precondition(index >= 0, "the number of a value cannot be negative")
    return apply(finding { $0 == index ? $1 : nil })
  }
}
