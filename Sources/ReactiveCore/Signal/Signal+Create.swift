extension Signal {
  /// A signal that `generator` feeds.
  ///
  /// If the observer is let go before it has sent an ending, the signal is interrupted.
  ///
  /// - Parameter generator: Called at once. It sends to the observer, from any threads, and hangs on the lifetime what
  ///   is to be let go when the signal ends or nobody can observe it any more.
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

  /// A signal that never sends anything.
  public static var never: Signal { Signal(Node(domain: Domain(), isMute: true)) }
}
