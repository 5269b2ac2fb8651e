/// A stream of values over time that goes on whether or not it is observed.
///
/// Its events are `value* (failed | completed | interrupted)?`. Every observer sees the same events in the same order,
/// one at a time, from whatever threads they were sent. Observing causes nothing; who observes after the ending is
/// interrupted at once.
///
/// A signal lives as long as somebody can observe it or does: when its last observer and the last reference to it are
/// gone it leaves its source.
public class Signal<Value, Failure: Error> {
  @usableFromInline final let node: Node<Value, Failure>

  @usableFromInline init(_ node: Node<Value, Failure>) { self.node = node }

  deinit { Unmanaged.passUnretained(node)._withUnsafeGuaranteedRef { $0.close() } }
}

/// Signals may be used from any thread; what sends to them is `Sendable` only where their values are.
///
/// Closures run on the thread that sends. They need not be `Sendable`, since calls are serial, but what they capture
/// must not be used elsewhere meanwhile; those that belong to an actor are called there only, see <doc:Threads>. The
/// conformance does not depend on `Value`: if it did, Swift 6 could not infer the types of `Signal.merge(a, b)`, since
/// it asks whether the metatype is `Sendable` before it knows `Value`.
extension Signal: @unchecked Sendable {}

extension Signal {
  /// An observer of this signal.
  public typealias Observer = ReactiveCore.Observer<Value, Failure>

  /// An event of this signal.
  public typealias Event = ReactiveCore.Event<Value, Failure>
}
