import ReactiveCore
import Testing

/// The steps of a subscription: what `createSignal:` and `subscribeNext:` do, in this order.
@Suite struct SubscriptionSamples {
  @Test func `creating runs nothing, subscribing runs the block, and its sends reach the next block`() {
    var steps: [String] = []
    let signIn = SignalProducer<Bool, SampleError> { observer, lifetime in
      steps.append("the block runs")
      observer.send(value: true)
      observer.sendCompleted()
      lifetime.observeEnded { steps.append("what it gave back is disposed of") }
    }
    steps.append("created")
    signIn.start(
      Observer(
        value: { steps.append("Sign in result: \($0)") }, ending: { steps.append("\(Event<Bool, SampleError>($0))") })
    )
    #expect(
      steps == [
        "created", "the block runs", "Sign in result: true", "COMPLETED", "what it gave back is disposed of",
      ])
  }

  @Test func `each subscription runs the block again`() {
    var runs = 0
    let producer = SignalProducer<Int, SampleError> { observer, _ in
      runs += 1
      observer.send(value: runs)
    }
    var values: [Int] = []
    for _ in 0..<2 { producer.start(Observer(value: { values.append($0) }, ending: { _ in })) }
    #expect(values == [1, 2])
  }
}
