/// A value that can be observed and not set: a constant, a view of another property, or the last value of a producer.
///
/// It follows its source as long as it, one of its producers or an observer is there, and completes with its source.
public final class Property<Value>: PropertyProtocol {
  @usableFromInline let core: PropertyCore<Value>

  /// The changes, until the source ends.
  public let signal: Signal<Value, Never>

  @inlinable init(_ core: PropertyCore<Value>) {
    self.core = core
    signal = Signal(core.node)
  }

  /// A constant; its signal completes at once.
  public convenience init(value: Value) {
    self.init(PropertyCore(value))
    core.node.send(.completed)
  }

  /// A property that has `initial` and then follows a producer.
  public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
    self.init(following: values, core: PropertyCore(initial))
  }

  /// A property that has `initial` and then follows a signal.
  public convenience init(initial: Value, then values: Signal<Value, Never>) {
    self.init(initial: initial, then: SignalProducer(values))
  }

  /// A property that follows another, without keeping it.
  public convenience init<Source: PropertyProtocol>(_ property: Source) where Source.Value == Value {
    self.init(following: property.producer, core: nil)
  }

  /// A property that follows a producer which, unless there is a core already, sends a value as soon as it is started.
  convenience init(following values: SignalProducer<Value, Never>, core: PropertyCore<Value>?) {
    let follower = Follower(core)
    let run = Run()
    let observer = Observer<Value, Never>(
      link: follower, value: { $0.receive($1) }, ending: { $0.core?.node.send($1) })
    values.start(observer, as: run)
    guard let core = follower.core else { preconditionFailure("a property's producer must send a value at its start") }
    core.node.domain.perform { core.node.source = run }
    self.init(core)
  }

  /// Sets a property's core to each value; makes it of the first.
  private final class Follower {
    var core: PropertyCore<Value>?

    init(_ core: PropertyCore<Value>?) { self.core = core }

    func receive(_ value: Value) {
      if let core { core.set(value) } else { core = PropertyCore(value) }
    }
  }

  /// The present value.
  public var value: Value { core.value }

  /// The present value at each start, then the changes, until the source ends.
  public var producer: SignalProducer<Value, Never> { core.producer(keeping: signal) }

  /// A property that follows this one through a transformation.
  @inlinable public func map<U>(_ transform: @escaping (Value) -> U) -> Property<U> { Property<U>(core.map(transform)) }
}

/// A property may be used from any thread; see `Signal` about values.
extension Property: @unchecked Sendable {}
