import ReactiveCore

/// An adapter through which chains set a property of an object and follow the changes made by it.
///
/// Other changes of the property are not observed, since only Objective-C's runtime could do so; the value is always
/// the object's. The adapter retains the object, and is as thread-safe as the object.
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

  /// The property's value; setting it emits it to the chains that start here.
  public var value: Value {
    get { object[keyPath: keyPath] }
    set {
      object[keyPath: keyPath] = newValue
      input.send(value: newValue)
    }
  }

  /// Sets the property.
  public func receive(value: Value) { self.value = value }

  /// A chain of the changes; closed by `sync()`, it starts with the present value.
  public func chain() -> Chain<Value> {
    let changes = SignalProducer(signal)
    let present = SignalProducer<Value, Never> { [object, keyPath] observer, lifetime in
      // A change caused by the present value is queued behind it.
      lifetime += changes.start(observer)
      observer.send(value: object[keyPath: keyPath])
    }
    return Chain { $0 == .changes ? changes : present }
  }
}
