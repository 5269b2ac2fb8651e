/// A stream of values over time that is independent of its observers.
///
/// Its events are `value* (failed | completed | interrupted)?`. Every observer gets the same events in the same order,
/// serialised across threads. Observing has no side effects; an observer added after the ending is interrupted at once.
///
/// A signal lives as long as it is referenced or observed; after that it disconnects from its source.
public class Signal<Value, Failure: Error> {
  @usableFromInline package final let node: Node<Value, Failure>

  @usableFromInline package init(_ node: Node<Value, Failure>) { self.node = node }

  deinit { Unmanaged.passUnretained(node)._withUnsafeGuaranteedRef { $0.close() } }
}

/// Signals may be used from any thread; their inputs are `Sendable` only where their values are.
///
/// Closures run on the sending thread. They need not be `Sendable`, since calls are serial, but their captures must not
/// be used elsewhere meanwhile; those that belong to an actor are called there only, see <doc:Threads>. The conformance
/// does not depend on `Value`: if it did, Swift 6 could not infer the types of `Signal.merge(a, b)`, since it asks
/// whether the metatype is `Sendable` before it knows `Value`.
extension Signal: @unchecked Sendable {}

extension Signal {
  /// An observer of this signal.
  public typealias Observer = Signals.Observer<Value, Failure>

  /// An event of this signal.
  public typealias Event = Signals.Event<Value, Failure>
}
