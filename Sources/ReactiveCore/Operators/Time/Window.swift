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

/// A value of a window, and when it came.
@usableFromInline struct Timed<Value> {
  @usableFromInline let at: Instant
  @usableFromInline let value: Value

  @inlinable init(at: Instant, value: Value) {
    self.at = at
    self.value = value
  }
}

extension Timed: Storable where Value: Storable {
  func store(in writer: inout StateWriter) {
    at.store(in: &writer)
    value.store(in: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
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
    // A key path would be made anew for each value where the types are not known.
    return window.map { $0.value }
  }
}

extension Signal {
  /// After each value the last `count`; while there are fewer, those, or nothing if `partial` is false.
  ///
  /// - Parameters:
  ///   - count: The length of a full list.
  ///   - partial: Whether shorter lists are sent at the beginning.
  /// - Precondition: `count` is 1 at least.
  @inlinable public func window(count: Int, partial: Bool = true) -> Signal<[Value], Failure> {
    apply(windowing(count: count, partial: partial))
  }

  /// After each value those of the last `interval`; one that is exactly that old is left out.
  ///
  /// - Parameters:
  ///   - interval: The age at which a value leaves the list.
  ///   - scheduler: The scheduler whose clock is read; lists are sent where values come.
  @inlinable public func window(_ interval: Duration, on scheduler: any DateScheduler) -> Signal<[Value], Failure> {
    apply(windowing(interval, scheduler))
  }
}

extension SignalProducer {
  /// After each value the last `count`; while there are fewer, those, or nothing if `partial` is false.
  ///
  /// - Parameters:
  ///   - count: The length of a full list.
  ///   - partial: Whether shorter lists are sent at the beginning.
  /// - Precondition: `count` is 1 at least.
  @inlinable public func window(count: Int, partial: Bool = true) -> SignalProducer<[Value], Failure> {
    apply(windowing(count: count, partial: partial))
  }

  /// After each value those of the last `interval`; one that is exactly that old is left out.
  ///
  /// - Parameters:
  ///   - interval: The age at which a value leaves the list.
  ///   - scheduler: The scheduler whose clock is read; lists are sent where values come.
  @inlinable
  public func window(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<[Value], Failure> {
    apply(windowing(interval, scheduler))
  }
}
