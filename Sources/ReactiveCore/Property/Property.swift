public import Signals

/// A read-only observable value: a constant, a view of other properties, or the last value of a producer.
///
/// It follows its source as long as the property, one of its producers or an observer exists, and completes with its
/// source. It does not retain the properties that it follows, except one that it captures.
@propertyWrapper
public final class Property<Value>: PropertyProtocol {
  @usableFromInline let core: PropertyCore<Value>

  /// The changes, until the source ends.
  public let signal: Signal<Value, Never>

  /// The property that this one captures.
  @usableFromInline let captured: AnyObject?

  @inlinable init(_ core: PropertyCore<Value>, capturing captured: AnyObject? = nil) {
    self.core = core
    signal = Signal(core.node)
    self.captured = captured
  }

  /// A property that shares the core of another, and retains it.
  private init(sharing core: PropertyCore<Value>, _ property: some PropertyProtocol<Value>) {
    self.core = core
    signal = property.signal
    captured = property
  }

  /// A constant; its producer emits it and completes, and its signal has completed.
  public convenience init(value: Value) {
    self.init(PropertyCore(value))
    core.node.send(.completed)
  }

  /// A property that is a view of another and retains it.
  public convenience init<Source: PropertyProtocol>(capturing property: Source) where Source.Value == Value {
    if let core = property.sharedCore {
      self.init(sharing: core, property)
    } else {
      self.init(following: property.producer, orElse: property.value, capturing: property)
    }
  }

  /// A property that is a view of another, without retaining it.
  public convenience init<Source: PropertyProtocol>(_ property: Source) where Source.Value == Value {
    self.init(following: property.producer, orElse: property.value)
  }

  /// A property that has `initial` and then follows a producer, whose interruption completes it.
  public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
    let follower = Follower(PropertyCore(initial))
    self.init(following: values, follower, orElse: initial)
  }

  /// A property that has `initial` and then follows a signal or a producer, whose interruption completes it.
  public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
  where Values.Value == Value, Values.Error == Never {
    self.init(initial: initial, then: values.producer)
  }

  /// A property that has `initial` and then follows a producer of plain values.
  public convenience init<Wrapped>(initial: Value, then values: SignalProducer<Wrapped, Never>)
  where Value == Wrapped? {
    self.init(initial: initial, then: values.map(Optional.some) as SignalProducer<Value, Never>)
  }

  /// A property that has `initial` and then follows a signal or a producer of plain values.
  public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
  where Value == Values.Value?, Values.Error == Never {
    self.init(initial: initial, then: values.producer.map(Optional.some) as SignalProducer<Value, Never>)
  }

  /// A property that follows a producer that emits a value during its start; any other traps.
  ///
  /// - Precondition: The producer emits a value before its `start` returns.
  public convenience init(unsafeProducer: SignalProducer<Value, Never>) {
    self.init(following: unsafeProducer, orElse: Property.refuseToBeWithoutValue())
  }

  private static func refuseToBeWithoutValue() -> Value {
    preconditionFailure("a property's producer must send a value as soon as it is started")
  }

  /// A property that follows a producer, which emits a value during its start unless its source is being delivered:
  /// then it has `first` until the delivery ends.
  convenience init(
    following values: SignalProducer<Value, Never>, _ follower: Follower<Value> = Follower(nil),
    orElse first: @autoclosure () -> Value, capturing captured: AnyObject? = nil
  ) {
    let run = Run()
    values.start(follower.observer, as: run)
    let core = follower.core ?? follower.core(orOf: first())
    core.node.domain.perform { core.node.source = run }
    self.init(core, capturing: captured)
  }

  /// The present value.
  public var value: Value { core.value }

  /// The present value, for `@Property var x`.
  public var wrappedValue: Value { core.value }

  /// This property, for `$x`.
  public var projectedValue: Property<Value> { self }

  /// The present value at each start, then the changes, until the source ends.
  public var producer: SignalProducer<Value, Never> { core.producer(keeping: self) }
}

/// A property may be used from any thread; see `Signal` about values.
extension Property: @unchecked Sendable {}
