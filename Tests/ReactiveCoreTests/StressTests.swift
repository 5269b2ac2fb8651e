import ReactiveCore
import Synchronization
import TestSupport
import Testing

/// A number and its sender.
private struct Numbered: Sendable {
  let sender: Int
  let number: Int
}

/// Checks each sender's numbers: they must be consecutive, each once, whatever other senders do in between.
///
/// It stores only the last number of each sender, so that it can check any number of events.
private final class Follower: @unchecked Sendable {
  private(set) var count = 0
  private(set) var faults = 0
  private var last = [Int?](repeating: nil, count: StressTests.senders)
  private let inside = Atomic(false)

  func receive(_ value: Numbered) {
    if inside.exchange(true, ordering: .acquiring) { faults += 1 }
    if let last = last[value.sender], last + 1 != value.number { faults += 1 }
    last[value.sender] = value.number
    count += 1
    inside.store(false, ordering: .releasing)
  }
}

/// Many events through networks of signals, sent by several threads while observers are added and removed.
///
/// `STRESS_EVENTS` is their number; `make test-long` runs ten million of them.
@Suite struct StressTests {
  fileprivate static let senders = 3
  private static let events = TestAmount.number("STRESS_EVENTS") ?? 60_000

  struct Network: Sendable, CustomTestStringConvertible {
    let name: String
    fileprivate let make: @Sendable ([Signal<Numbered, Never>]) -> Signal<Numbered, Never>
    var testDescription: String { name }
  }

  static let networks: [Network] = [
    Network(name: "merge of chains") { .merge($0.map { $0.map { $0 }.filter { _ in true } }) },
    Network(name: "merge of merges") { .merge(.merge($0[0], $0[1]), $0[2].map { $0 }) },
    Network(name: "groups, flattened") { Signal.merge($0).groupBy(\.sender).flatten(.merge) },
    Network(name: "a stream for each value") {
      Signal.merge($0).flatMap(.concat) { SignalProducer<Numbered, Never>(value: $0) }
    },
    Network(name: "a property between") { signals in
      let property = MutableProperty(Numbered(sender: 0, number: -1))
      property <~ Signal.merge(signals)
      let signal = property.signal
      return signal.on(disposed: { withExtendedLifetime(property) {} })
    },
    Network(name: "withLatest of a signal that has a value") { signals in
      let merged = Signal.merge(signals)
      let (ticks, input) = Signal<Int, Never>.pipe()
      let combined = merged.withLatest(from: ticks).map { $0.0 }
      input.send(value: 1)
      return combined.on(disposed: { withExtendedLifetime(input) {} })
    },
  ]

  @Test(arguments: networks)
  func `millions of events from several threads come once and in their senders' order`(_ network: Network) {
    let pipes = (0..<Self.senders).map { _ in Signal<Numbered, Never>.pipe() }
    let signal = network.make(pipes.map(\.output))
    let each = Self.events / Self.senders / Self.networks.count
    let steady = Follower()
    let isOver = Atomic(0)
    let visitors = Mutex<[Follower]>([])
    let observation = signal.observeValues { steady.receive($0) }
    onThreads(Self.senders + 1) { thread in
      if thread < Self.senders {
        for number in 0..<each { pipes[thread].input.send(value: Numbered(sender: thread, number: number)) }
        isOver.add(1, ordering: .relaxed)
      } else {
        while isOver.load(ordering: .relaxed) < Self.senders {
          let visitor = Follower()
          let visit = signal.observeValues { visitor.receive($0) }
          pipes[0].output.observeValues { _ in }?.dispose()
          visit?.dispose()
          visitors.withLock { if $0.count < 1000 { $0.append(visitor) } }
        }
      }
    }
    #expect(steady.count == each * Self.senders)
    #expect(steady.faults == 0)
    #expect(visitors.withLock { $0.allSatisfy { $0.faults == 0 } })
    observation?.dispose()
  }
}
