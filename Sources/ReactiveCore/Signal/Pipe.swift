/// The input of a pipe: when it is let go before an ending was sent, the signal is interrupted.
@usableFromInline final class PipeInput<Value, Failure: Error> {
  @usableFromInline let node: Node<Value, Failure>

  @usableFromInline init(_ node: Node<Value, Failure>) { self.node = node }

  deinit { node.send(.interrupted) }
}

extension Signal {
  /// A signal together with the observer that feeds it.
  ///
  /// The input may be used from any thread and from inside an observer of the output. If it is let go before it has sent
  /// an ending, the output is interrupted. `disposable` is disposed of when the output ends, or when nobody observes it
  /// and nobody can any more.
  @inlinable public static func pipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
    let node = Node<Value, Failure>(domain: Domain())
    node.source = disposable
    let input = PipeInput(node)
    return (Signal(node), Observer(link: input, value: { $0.node.send($1) }, ending: { $0.node.send($1) }))
  }
}
