import ReactiveCore

/// A property of an object that chains can set, and whose changes they follow: those made through the adapter.
///
/// Other changes of the object's property go unseen, since only Objective-C's runtime could tell; the value is
/// the object's all the same. The adapter keeps the object, and is as safe to use from several threads as that is.
public final class PropertyAdapter<Object: AnyObject, Value>: Chainable, Receivable {
  private let object: Object
  private let keyPath: ReferenceWritableKeyPath<Object, Value>
  private let signal: Signal<Value, Never>
  private let input: Signal<Value, Never>.Observer

  /// An adapter of the property at `keyPath`.
  public init(_ object: Object, keyPath: ReferenceWritableKeyPath<Object, Value>) {
    self.object = object
    self.keyPath = keyPath
    (signal, input) = Signal.pipe()
  }

  deinit { input.sendCompleted() }

  /// The property's value; setting it sends it to the chains that begin here.
  public var value: Value {
    get { object[keyPath: keyPath] }
    set {
      object[keyPath: keyPath] = newValue
      input.send(value: newValue)
    }
  }

  /// Sets the property.
  public func receive(value: Value) { self.value = value }

  /// A chain of the changes; closed by `sync()`, it begins with the present value.
  public func chain() -> Chain<Value> {
    let changes = SignalProducer(signal)
    let present = SignalProducer<Value, Never> { [object, keyPath] observer, lifetime in
      // A change that the present value leads to waits behind it.
      lifetime += changes.start(observer)
      observer.send(value: object[keyPath: keyPath])
    }
    return Chain { $0 == .changes ? changes : present }
  }
}
