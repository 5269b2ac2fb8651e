import ReactiveCore

/// The cost of subscribing and unsubscribing: an event is a subscription.
func subscriptions() -> [Measurement?] {
  [
    measure("observe and dispose", atMost: .nanoseconds(250), events: 200_000) {
      let (signal, input) = Numbers.pipe()
      return { count in
        for _ in 0..<count { signal.observeValues { sink &+= $0 }?.dispose() }
        withExtendedLifetime(input) {}
      }
    },
    measure("build, observe, dispose a chain of 5", atMost: .nanoseconds(900), events: 100_000) {
      let (signal, input) = Numbers.pipe()
      return { count in
        for _ in 0..<count {
          signal.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }.skipRepeats().map { $0 &+ 1 }
            .observeValues { sink &+= $0 }?.dispose()
        }
        withExtendedLifetime(input) {}
      }
    },
    starting("take(1) of 3, per subscription", atMost: .nanoseconds(400), SignalProducer([1, 2, 3]).take(first: 1)),
    starting(
      "concat of two, per subscription", atMost: .nanoseconds(500), SignalProducer([1]).concat(SignalProducer([2]))),
    starting(
      "failure caught and replaced, per subscription", atMost: .nanoseconds(500),
      failing().flatMapError { _ in SignalProducer<Int, Never>([2]) }),
  ]
}

/// Shapes without a limit: producers with more or less known in advance.
func otherSubscriptions() -> [Measurement?] {
  [
    starting("concat of two single values", SignalProducer(value: 1).concat(SignalProducer(value: 2))),
    starting("concat of two closures", working([1]).concat(working([2]))),
    starting(
      "failure alone, caught and replaced",
      SignalProducer<Int, Trouble>(error: Trouble()).flatMapError { _ in SignalProducer<Int, Never>(value: 2) }),
    starting(
      "value and failure of a concat, caught and replaced",
      SignalProducer<Int, Trouble>([1]).concat(error: Trouble()).flatMapError { _ in SignalProducer<Int, Never>([2]) }),
    starting("start a closure's producer", working([1])),
  ]
}

private struct Trouble: Error {}

private func starting(_ name: String, atMost limit: Limit? = nil, _ producer: SignalProducer<Int, Never>)
  -> Measurement?
{
  measure(name, atMost: limit, events: 100_000) {
    { count in
      for _ in 0..<count { producer.startWithValues { sink &+= $0 } }
    }
  }
}

/// A producer as a user of the library writes one that emits a value and fails.
private func failing() -> SignalProducer<Int, Trouble> {
  SignalProducer { observer, _ in
    observer.send(value: 1)
    observer.send(error: Trouble())
  }
}

/// A producer as a user of the library writes one that emits some values.
private func working(_ values: [Int]) -> SignalProducer<Int, Never> {
  SignalProducer { observer, _ in
    for value in values { observer.send(value: value) }
    observer.sendCompleted()
  }
}
