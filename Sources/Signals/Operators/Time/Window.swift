@inlinable func windowing<Value, Failure>(
  count: Int, partial: Bool
) -> ScanMap<Value, [Value], [Value], Failure> {
  precondition(count > 0, "a window holds one value at least")
  return ScanMap([]) { window, value in
    if window.count == count { window.removeFirst() }
    window.append(value)
    return partial || window.count == count ? window : nil
  }
}

/// A value of a window with its time.
@usableFromInline struct Timed<Value> {
  @usableFromInline let at: Instant
  @usableFromInline let value: Value

  @inlinable init(at: Instant, value: Value) {
    self.at = at
    self.value = value
  }
}

extension Timed: StateCodable where Value: StateCodable {
  func encode(to writer: inout StateEncoder) {
    at.encode(to: &writer)
    value.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    self.init(at: try Instant(from: &reader), value: try Value(from: &reader))
  }
}

@inlinable func windowing<Value, Failure>(
  _ interval: Duration, _ scheduler: any DateScheduler
) -> ScanMap<Value, [Timed<Value>], [Value], Failure> {
  ScanMap([]) { window, value in
    let now = scheduler.currentDate
    let end = now - interval
    window.removeAll { $0.at <= end }
    window.append(Timed(at: now, value: value))
    // A closure: a key path would be created again for each value where the types are not known.
    return window.map { $0.value }
  }
}

extension Signal {
  /// The last `count` values, after each value; while there are fewer, those, or nothing if `partial` is false.
  ///
  /// - Parameters:
  ///   - count: The length of a full list.
  ///   - partial: Pass `false` to emit no shorter lists at the beginning.
  /// - Precondition: `count` is at least 1.
  @inlinable public func window(count: Int, partial: Bool = true) -> Signal<[Value], Failure> {
    apply(windowing(count: count, partial: partial))
  }

  /// The values of the last `interval`, after each value; one of exactly that age is left out.
  ///
  /// - Parameters:
  ///   - interval: The age at which a value leaves the list.
  ///   - scheduler: The scheduler whose clock is read; lists are emitted on the thread that delivers the values.
  @inlinable public func window(_ interval: Duration, on scheduler: any DateScheduler) -> Signal<[Value], Failure> {
    apply(windowing(interval, scheduler))
  }
}

extension SignalProducer {
  /// The last `count` values, after each value; while there are fewer, those, or nothing if `partial` is false.
  ///
  /// - Parameters:
  ///   - count: The length of a full list.
  ///   - partial: Pass `false` to emit no shorter lists at the beginning.
  /// - Precondition: `count` is at least 1.
  @inlinable public func window(count: Int, partial: Bool = true) -> SignalProducer<[Value], Failure> {
    apply(windowing(count: count, partial: partial))
  }

  /// The values of the last `interval`, after each value; one of exactly that age is left out.
  ///
  /// - Parameters:
  ///   - interval: The age at which a value leaves the list.
  ///   - scheduler: The scheduler whose clock is read; lists are emitted on the thread that delivers the values.
  @inlinable
  public func window(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<[Value], Failure> {
    apply(windowing(interval, scheduler))
  }
}
