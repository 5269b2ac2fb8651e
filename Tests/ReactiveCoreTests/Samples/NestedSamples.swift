import ReactiveCore
import Testing

@Suite struct NestedSamples {
  private let log = SampleLog()

  @Test func `switchToLatest prints start, start, and end after two seconds`() {
    let outer = SignalProducer<SignalProducer<String, SampleError>, SampleError> { [log] observer, _ in
      for _ in 0..<2 { observer.send(value: log.async) }
      observer.sendCompleted()
    }
    log.subscribe(to: outer.flatten(.latest))
    log.scheduler.run()
    #expect(log.lines == ["0.0 start", "0.0 start", "2.0 end"])
  }

  @Test func `switch prints 0, 1, start and default, since each new key disposes the case before`() {
    log.subscribe(to: SignalProducer.switch(keys("sync", "async", "none"), cases: cases, default: fallback))
    log.scheduler.run()
    #expect(log.lines == ["0.0 0", "0.0 1", "0.0 start", "0.0 default"])
  }

  @Test func `switch without a matching case fails`() {
    log.subscribeToAll(
      of: SignalProducer.switch(keys("sync", "none"), cases: cases, unmatched: .fail(.noMatchingCase)))
    #expect(log.lines == ["0.0 VALUE 0", "0.0 VALUE 1", "0.0 FAILED noMatchingCase"])
  }

  @Test func `if prints 0 and 1, start after half a second and end two seconds later`() {
    let condition = SignalProducer<Bool, SampleError> { [log] observer, lifetime in
      observer.send(value: true)
      lifetime += log.scheduler.schedule(after: .milliseconds(500)) {
        observer.send(value: false)
        observer.sendCompleted()
      }
    }
    log.subscribe(to: SignalProducer.if(condition, then: log.sync.map(String.init), else: log.async))
    log.scheduler.run()
    #expect(log.lines == ["0.0 0", "0.0 1", "0.5 start", "2.5 end"])
  }

  @Test func `groupBy with a transform, flattened, prints 100 and 101`() {
    let groups = log.sync.groupBy({ $0 == 0 ? "first" : "second" }, transform: { $0 + 100 })
    log.subscribe(to: groups.flatten(.merge))
    #expect(log.lines == ["0.0 100", "0.0 101"])
  }

  @Test func `groupBy without a transform, flattened, prints 0 and 1`() {
    log.subscribe(to: log.sync.groupBy { $0 == 0 ? "first" : "second" }.flatten(.merge))
    #expect(log.lines == ["0.0 0", "0.0 1"])
  }

  private func keys(_ keys: String...) -> SignalProducer<String, SampleError> { SignalProducer(keys) }

  private var cases: [String: SignalProducer<String, SampleError>] {
    ["sync": log.sync.map(String.init), "async": log.async]
  }

  private var fallback: SignalProducer<String, SampleError> { SignalProducer(value: "default") }
}
