import ReactiveCore
import Testing

@Suite struct TimeSamples {
  private let log = SampleLog()

  @Test func `timeout after one second prints start and fails`() {
    log.subscribeToAll(of: log.async.timeout(after: 1, raising: .timedOut, on: log.scheduler))
    log.scheduler.run()
    #expect(log.lines == ["0.0 VALUE start", "1.0 FAILED timedOut"])
  }

  /// RAC ends a sampled signal with either, ReactiveSwift and this library with both: so the sampler's ending is drawn.
  @Test func `sample prints 1 and 1 and 2, and the sampler's completion ends it`() {
    let source = events([(0, 1), (1.8, 2)], completes: false)
    let sampler = events([(1, ()), (1.5, ()), (2, ())], completes: true).share()
    log.subscribeToAll(of: source.sample(on: sampler).take(until: sampler.then(SignalProducer(value: ()))))
    log.scheduler.run()
    #expect(log.lines == ["1.0 VALUE 1", "1.5 VALUE 1", "2.0 VALUE 2", "2.0 COMPLETED"])
  }

  private func events<Value>(_ events: [(Double, Value)], completes: Bool) -> SignalProducer<Value, Never> {
    SignalProducer { [log] observer, lifetime in
      for (index, (time, value)) in events.enumerated() {
        let send = {
          observer.send(value: value)
          if completes, index == events.count - 1 { observer.sendCompleted() }
        }
        if time == 0 { send() } else { lifetime += log.scheduler.schedule(after: .seconds(time), action: send) }
      }
    }
  }
}
