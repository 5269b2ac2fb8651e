public import Synchronization

/// The input of a pipe: if it is released before an ending was sent, the signal is interrupted.
@usableFromInline final class PipeInput<Value, Failure: Error> {
  @usableFromInline let node: Node<Value, Failure>

  /// True once an ending was sent here: releasing the input then costs nothing.
  @usableFromInline let hasEnded = Atomic(false)

  /// A closure, which is specialised: a deinitialiser is not, and would ask the runtime for the type of the ending.
  private let interrupt: (Node<Value, Failure>) -> Void

  @inlinable convenience init(_ node: Node<Value, Failure>) {
    self.init(node, interrupt: { $0.send(.interrupted) })
  }

  @usableFromInline init(_ node: Node<Value, Failure>, interrupt: @escaping (Node<Value, Failure>) -> Void) {
    self.node = node
    self.interrupt = interrupt
  }

  deinit {
    guard !hasEnded.load(ordering: .relaxed) else { return }
    Unmanaged.passUnretained(node)._withUnsafeGuaranteedRef { interrupt($0) }
  }

  @inlinable @inline(__always) var asObserver: Observer<Value, Failure> {
    Observer(link: self, value: { $0.node.send($1) }, ending: { $0.end($1) })
  }

  @inlinable func end(_ ending: Ending<Failure>) {
    hasEnded.store(true, ordering: .relaxed)
    node.send(ending)
  }
}

extension Signal {
  /// A signal together with the observer that feeds it.
  ///
  /// The input may be used from any thread and from inside an observer of the output. If it is released before it has
  /// sent an ending, the output is interrupted. `disposable` is disposed of when the output ends, or has no observer
  /// and can get none.
  @inlinable public static func pipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
    let node = Node<Value, Failure>(domain: Domain())
    node.source = disposable
    return (Signal(node), PipeInput(node).asObserver)
  }
}
