import ReactiveCore

/// A source that emits the values it is given, and stores none.
public final class Notifier<Value>: Chainable, Receivable {
  private let signal: Signal<Value, Never>
  private let input: Signal<Value, Never>.Observer

  /// A notifier.
  public init() { (signal, input) = Signal.pipe() }

  deinit { input.sendCompleted() }

  /// Emits a value to the chains that start here.
  public func notify(value: Value) { input.send(value: value) }

  /// Emits the value.
  public func receive(value: Value) { notify(value: value) }

  /// A chain of the emitted values.
  public func chain() -> Chain<Value> { Chain { [signal] _ in SignalProducer(signal) } }
}

extension Notifier where Value == Void {
  /// Notifies the chains that start here.
  public func notify() { notify(value: ()) }
}

extension Notifier: Sendable where Value: Sendable {}
