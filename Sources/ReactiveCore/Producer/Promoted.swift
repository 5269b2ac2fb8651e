extension SignalProducer where Failure == Never {
  /// The same producer as one that could fail; what is known of it beforehand stays known.
  @inlinable func promoted<F>(to _: F.Type = F.self) -> SignalProducer<Value, F> {
    switch known {
    case .value(let value): SignalProducer<Value, F>(known: .value(value))
    case .ending(let ending): SignalProducer<Value, F>(known: .ending { ending().promoted() })
    case nil:
      SignalProducer<Value, F>(begin: { [begin] observer, run in
        begin(Observer(link: Relay(observer), value: { $0.receive($1) }, ending: { $0.end($1.promoted()) }), run)
      })
    }
  }
}
