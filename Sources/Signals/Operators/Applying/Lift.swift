extension SignalProducer {
  /// The producer whose runs go through an operator of signals.
  public func lift<U, F>(
    _ transform: @escaping (Signal<Value, Failure>) -> Signal<U, F>
  ) -> SignalProducer<U, F> {
    SignalProducer<U, F>(begin: { observer, run in
      guard run.begin(with: Relay<U, F>(observer)) else { return }
      startWithSignal { signal, interruptHandle in
        run.hold(interruptHandle)
        transform(signal).feed(observer, in: run)
      }
    })
  }

  /// The producer whose runs go through an operator of two signals; the other producer is started second.
  public func lift<U, F, V, G>(
    _ transform: @escaping (Signal<Value, Failure>) -> (Signal<U, F>) -> Signal<V, G>
  ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
    { other in
      SignalProducer<V, G>(begin: { observer, run in
        guard run.begin(with: Relay<V, G>(observer)) else { return }
        startWithSignal { signal, interruptHandle in
          run.hold(interruptHandle)
          other.startWithSignal { otherSignal, otherHandle in
            run.hold(otherHandle)
            transform(signal)(otherSignal).feed(observer, in: run)
          }
        }
      })
    }
  }
}
