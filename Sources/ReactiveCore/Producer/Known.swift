/// What a producer sends that is known beforehand: one value or none, and an ending, at once.
@usableFromInline final class Known<Value, Failure: Error> {
  @usableFromInline let value: Value?
  @usableFromInline let ending: Ending<Failure>

  @inlinable init(_ value: Value?, then ending: Ending<Failure>) {
    self.value = value
    self.ending = ending
  }

  @inlinable func send(to observer: Observer<Value, Failure>, in run: Run) {
    if let value {
      SignalProducer.send(CollectionOfOne(value), to: observer, in: run, then: ending)
    } else {
      SignalProducer.send(EmptyCollection(), to: observer, in: run, then: ending)
    }
  }
}

extension SignalProducer where Failure == Never {
  /// The same producer as one that could fail; what is known of it beforehand stays known.
  @inlinable func promoted<F>(to _: F.Type = F.self) -> SignalProducer<Value, F> {
    switch work {
    case .known(let known): SignalProducer<Value, F>(Known(known.value, then: known.ending.promoted()))
    case .run(let begin):
      SignalProducer<Value, F>(begin: { observer, run in
        begin(Observer(link: Relay(observer), value: { $0.receive($1) }, ending: { $0.end($1.promoted()) }), run)
      })
    }
  }
}
