import ReactiveCore
import Synchronization
import TestSupport
import Testing

/// One run of a producer, started by one thread and disposed of by another.
private final class Visit: Sendable {
  let checker = Checker<Int>()
  private let run = SerialDisposable()
  private let isDisposed = Atomic(false)
  private let late = Atomic(0)

  /// The number of calls that began after `dispose` had returned.
  var lateCalls: Int { late.load(ordering: .relaxed) }

  func start(_ producer: RandomProducer, _ life: Life) {
    run.inner = producer.start(
      Observer(
        value: { [self] value in
          if isDisposed.load(ordering: .sequentiallyConsistent) { late.add(1, ordering: .relaxed) }
          withExtendedLifetime(life) { checker.receive(value) }
        },
        ending: { [self] _ in checker.end() }))
  }

  /// Disposes of the run if it has been started.
  func leave() {
    guard let inner = run.inner else { return }
    inner.dispose()
    isDisposed.store(true, ordering: .sequentiallyConsistent)
  }
}

/// The contract under threads, for random networks of producers.
///
/// `RANDOM_PRODUCERS` is the number of additional ones.
@Suite(.endsIfItHangs) struct RandomProducerTests {
  @Test(arguments: RandomSeeds.first(60, further: "RANDOM_PRODUCERS"))
  func `a random network of producers keeps to the contract while threads send, start and dispose`(seed: Int) {
    let audit = RandomProducers.Audit()
    var (visits, names) = run(seed, audit)
    for (visit, name) in zip(visits, names) {
      #expect(visit.checker.faults == 0, "\(name) sends twice at once or after its ending")
      #expect(visit.checker.endings == 1, "\(name) has \(visit.checker.endings) endings")
      #expect(visit.lateCalls <= 1, "\(name) sends \(visit.lateCalls) values after it was disposed of")
    }
    (visits, names) = ([], [])
    #expect(audit.overlaps.present == 0, "what is shared runs twice at a time")
    #expect(audit.alive.present == 0, "something is kept alive")
  }

  /// Sends into a network from one thread and starts and disposes of its runs on two others; returns the runs.
  private func run(_ seed: Int, _ audit: RandomProducers.Audit) -> ([Visit], [String]) {
    let pipes = (0..<2).map { _ in Signal<Int, Failure>.pipe() }
    var network = RandomProducers(seed: UInt64(seed), on: pipes.map(\.output), audit)
    let nodes = network.make(count: 8)
    let visits = (0..<16).map { _ in Visit() }
    let atWork = Counter()
    for _ in 0..<2 { atWork.enter() }
    onThreads(3) { thread in
      guard thread < 2 else {
        var number = 0
        while atWork.present > 0, number < 2000 {
          pipes[number % 2].input.send(value: number)
          number += 1
        }
        return
      }
      for index in visits.indices {
        if index % 2 == thread {
          visits[index].start(nodes[index / 2 % nodes.count].producer, Life(audit.alive))
        } else {
          visits[max(0, index - 2)].leave()
        }
      }
      atWork.leave()
    }
    for visit in visits { visit.leave() }
    return (visits, visits.indices.map { nodes[$0 / 2 % nodes.count].name })
  }
}
