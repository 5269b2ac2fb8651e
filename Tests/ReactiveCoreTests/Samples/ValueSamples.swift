import ReactiveCore
import Testing

@Suite struct ValueSamples {
  private let log = SampleLog()

  @Test func `materialize prints next 0, next 1 and completed`() {
    log.subscribe(to: log.sync.materialize())
    #expect(log.lines == ["0.0 VALUE 0", "0.0 VALUE 1", "0.0 COMPLETED"])
  }

  @Test func `dematerialize prints 1 and completes, and what comes after is not seen`() {
    let events = SignalProducer<Event<Int, SampleError>, Never>([.value(1), .completed, .failed(.failed)])
    log.subscribeToAll(of: events.dematerialize())
    #expect(log.lines == ["0.0 VALUE 1", "0.0 COMPLETED"])
  }

  @Test func `any with a block is true once a value matches`() {
    log.subscribe(to: log.sync.any { $0 == 1 })
    #expect(log.lines == ["0.0 true"])
  }

  @Test func `any is true once there is a value, and false without one`() {
    log.subscribe(to: log.sync.any())
    log.subscribe(to: SignalProducer<Int, SampleError>.empty.any())
    #expect(log.lines == ["0.0 true", "0.0 false"])
  }

  @Test func `all is true if every value matches`() {
    log.subscribe(to: log.sync.all { $0 < 2 })
    log.subscribe(to: log.sync.all { $0 < 1 })
    #expect(log.lines == ["0.0 true", "0.0 false"])
  }

  @Test func `not turns 0 and 1 into true and false`() {
    log.subscribe(to: log.sync.map { $0 != 0 }.negate())
    #expect(log.lines == ["0.0 true", "0.0 false"])
  }

  @Test func `and of 0 and 1 is false, or is true`() {
    let (no, yes) = (SignalProducer<Bool, SampleError>(value: false), SignalProducer<Bool, SampleError>(value: true))
    log.subscribe(to: no.and(yes))
    log.subscribe(to: no.or(yes))
    #expect(log.lines == ["0.0 false", "0.0 true"])
  }

  @Test func `reduceApply calls the first of the tuple with the others`() {
    let sum = { (left: Int, right: Int) in left + right + 100 }
    log.subscribe(to: SignalProducer<((Int, Int) -> Int, Int, Int), SampleError>(value: (sum, 0, 1)).reduceApply())
    #expect(log.lines == ["0.0 101"])
  }

  /// RAC 2's `bind:` flattens the results of its block for each value, until the block sets stop; the article builds
  /// `any:` and `all:` on it, and `any:` is here.
  @Test func `bind flattens what its block gives until that stops it`() {
    let steps = log.sync.concat(log.sync).materialize().map { isOne($0) }
    log.subscribeToAll(of: steps.take(until: { !$0.stop }).flatMap(.merge) { $0.result })
    #expect(log.lines == ["0.0 VALUE true", "0.0 COMPLETED"])
  }

  /// The block of the article's `any:`.
  private func isOne(_ event: Event<Int, SampleError>) -> (result: SignalProducer<Bool, Never>, stop: Bool) {
    let none: SignalProducer<Bool, Never> = .empty
    switch event {
    case .value(1): return (none.concat(value: true), stop: true)
    case .value: return (none, stop: false)
    case .failed, .completed, .interrupted: return (none.concat(value: false), stop: true)
    }
  }
}
