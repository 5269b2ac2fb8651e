import Dispatch
import ReactiveCore
import Synchronization
import Testing

/// Work that must not run concurrently, with its observer.
private final class Workshop: Sendable {
  private let working = Counter()
  private let overlaps = Counter()
  private let begun = Counter()

  var beginnings: Int { begun.present }
  var isIdle: Bool { working.present == 0 }
  /// The number of starts during other work.
  var faults: Int { overlaps.present }

  /// Runs `work` at each start; it ends with its lifetime.
  func producer(
    _ work: @escaping (SignalProducer<Int, Never>.Observer) -> Void = { _ in }
  ) -> SignalProducer<Int, Never> {
    SignalProducer { [self] observer, lifetime in
      begun.enter()
      if working.enter() > 1 { overlaps.enter() }
      lifetime.observeEnded { self.working.leave() }
      work(observer)
    }
  }
}

@Suite(.endsIfItHangs) struct ShareTests {
  @Test func `a shared producer that several threads start and leave runs at most once at a time`() {
    let workshop = Workshop()
    let shared = workshop.producer().share()
    onThreads(3) { _ in for _ in 0..<5000 { shared.start().dispose() } }
    #expect(workshop.faults == 0)
    #expect(workshop.isIdle)
  }

  @Test func `a shared producer restarts only when what another thread delivers in it has returned`() {
    let workshop = Workshop()
    let (signal, input) = Signal<Int, Never>.pipe()
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // The work is within a domain of its own, which its own delivery keeps busy.
    let shared = SignalProducer<Int, Never>([1, 2]).take(first: 1).flatMap(.concat) { _ in
      workshop.producer { signal.observe($0) }.on(value: { _ in
        isInside.signal()
        mayLeave.wait()
      })
    }.share()
    let first = shared.start()
    let beginnings = Mutex<[Int]>([])
    onThreads(2) { thread in
      if thread == 0 { return input.send(value: 1) }
      isInside.wait()
      first.dispose()
      let second = shared.start()
      beginnings.withLock { $0.append(workshop.beginnings) }
      mayLeave.signal()
      withExtendedLifetime(second) {}
    }
    #expect(beginnings.withLock { $0 } == [1])
    #expect(workshop.beginnings == 2)
    #expect(workshop.faults == 0)
  }

  @Test func `a shared producer that is left while its work begins restarts when that has begun`() {
    let workshop = Workshop()
    let run = SerialDisposable()
    var shared: SignalProducer<Int, Never> = .empty
    var beginningsInside: [Int] = []
    shared = workshop.producer {
      guard workshop.beginnings == 1 else { return }
      $0.send(value: 1)
      run.dispose()
      shared.start()
      beginningsInside.append(workshop.beginnings)
    }.share()
    shared.startWithSignal { signal, handle in
      run.inner = handle
      signal.observeValues { _ in }
    }
    #expect(beginningsInside == [1])
    #expect(workshop.beginnings == 2)
    shared = .empty
  }
}
