extension SignalProducer where Failure == Never {
  /// Returns this producer as one that could fail; events known in advance stay known.
  @inlinable func promoted<F>(to _: F.Type = F.self) -> SignalProducer<Value, F> {
    guard let known else {
      return SignalProducer<Value, F>(begin: { [begin] observer, run in
        begin(Observer(link: Relay(observer), value: { $0.receive($1) }, ending: { $0.end($1.promoted()) }), run)
      })
    }
    return SignalProducer<Value, F>(known: {
      switch known() {
      case .value(let value): .value(value)
      case .ending(let ending): .ending(ending.promoted())
      case .signal(let signal): .signal(signal.promoteError())
      }
    })
  }
}
