extension SignalProducer where Failure == Never {
  /// The same producer as one that could fail; what is known of it beforehand stays known.
  @inlinable func promoted<F>(to _: F.Type = F.self) -> SignalProducer<Value, F> {
    switch work {
    case .value(let value): SignalProducer<Value, F>(work: .value(value))
    case .ending(let ending): SignalProducer<Value, F>(work: .ending { ending().promoted() })
    case .run(let begin):
      SignalProducer<Value, F>(begin: { observer, run in
        begin(Observer(link: Relay(observer), value: { $0.receive($1) }, ending: { $0.end($1.promoted()) }), run)
      })
    }
  }
}
