import ReactiveCore

/// Sends the values that it is given, and remembers nothing.
public final class Notifier<Value>: Chainable, Receivable {
  private let signal: Signal<Value, Never>
  private let input: Signal<Value, Never>.Observer

  /// A notifier that has sent nothing yet.
  public init() { (signal, input) = Signal.pipe() }

  deinit { input.sendCompleted() }

  /// Sends a value to the chains that begin here.
  public func notify(value: Value) { input.send(value: value) }

  /// Sends the value on.
  public func receive(value: Value) { notify(value: value) }

  /// A chain of the values that are sent.
  public func chain() -> Chain<Value> { Chain { [signal] _ in SignalProducer(signal) } }
}

extension Notifier where Value == Void {
  /// Tells the chains that begin here.
  public func notify() { notify(value: ()) }
}

extension Notifier: Sendable where Value: Sendable {}
