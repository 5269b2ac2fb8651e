extension Signal {
  /// A signal that `generator` feeds.
  ///
  /// Releasing the observer before it has sent an ending interrupts the signal.
  ///
  /// - Parameter generator: Called at once. It sends to the observer, from any threads, and adds to the lifetime what
  ///   is to be released when the signal ends or can no longer be observed.
  public convenience init(_ generator: (Observer, Lifetime) -> Void) {
    let resources = CompositeDisposable()
    let node = Node<Value, Failure>(domain: Domain())
    node.source = resources
    self.init(node)
    generator(PipeInput(node).asObserver, Lifetime(resources))
  }

  /// A signal that has completed.
  public static var empty: Signal {
    let node = Node<Value, Failure>(domain: Domain())
    node.send(.completed)
    return Signal(node)
  }

  /// A signal that never emits.
  public static var never: Signal { Signal(Node(domain: Domain(), isMute: true)) }
}
