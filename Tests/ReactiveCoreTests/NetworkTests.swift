import ReactiveCore
import Synchronization
import Testing

/// The contract under threads, for each source and join.
@Suite(.endsIfItHangs) struct NetworkTests {
  private static let count = 500

  @Test(arguments: Network.all)
  func `threads that send into a network lose, double and mix up nothing`(_ network: Network) {
    let circuit = network.make()
    let (first, second) = (Checker<[Stamp]>(), Checker<[Stamp]>())
    let observations = [first, second].map { circuit.observe($0.observer) }
    send(into: circuit)
    complete(circuit)
    #expect(first.faults + second.faults == 0)
    #expect(first.values == second.values)
    expect(network.promise, of: first.values, senders: circuit.inputs.count)
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: Network.all)
  func `observers that send into the network they observe lose, double and mix up nothing`(_ network: Network) {
    let circuit = network.make()
    let (first, second) = (Checker<[Stamp]>(), Checker<[Stamp]>())
    let echo = Echo(circuit)
    let observations = [first.observer, echo.observer, second.observer].map(circuit.observe)
    send(into: circuit)
    expectEchoes(network, circuit, first)
    #expect(first.values == second.values)
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: Network.all)
  func `two networks whose observers send into each other lose, double and mix up nothing`(_ network: Network) {
    let circuits = [network.make(), network.make()]
    let checkers = [Checker<[Stamp]>(), Checker<[Stamp]>()]
    var observations: [(any Disposable)?] = []
    for index in 0..<2 {
      observations.append(circuits[index].observe(Echo(circuits[1 - index]).observer))
      observations.append(circuits[index].observe(checkers[index].observer))
    }
    let senders = circuits[0].inputs.count
    onThreads(2 * senders) { thread in
      let (sender, input) = (thread / 2, circuits[thread % 2].inputs[thread / 2])
      for number in 0..<Self.count { input.send(value: Stamp(sender: sender, number: number)) }
    }
    for index in 0..<2 { expectEchoes(network, circuits[index], checkers[index]) }
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: Network.all)
  func `observers of a network that come and go receive a piece of what the others receive`(_ network: Network) {
    let circuit = network.make()
    let steady = Checker<[Stamp]>()
    let observation = circuit.observe(steady.observer)
    let senders = circuit.inputs.count
    let atWork = Counter()
    for _ in 0..<senders { atWork.enter() }
    nonisolated(unsafe) var visitors: [Checker<[Stamp]>] = []
    onThreads(senders + 1) { thread in
      guard thread == senders else {
        defer { atWork.leave() }
        for number in 0..<Self.count { circuit.inputs[thread].send(value: Stamp(sender: thread, number: number)) }
        return
      }
      while atWork.present > 0, visitors.count < 500 {
        let visitor = Checker<[Stamp]>()
        let visit = circuit.observe(visitor.observer)
        for _ in 0..<20 where atWork.present > 0 { circuit.observe(Checker<[Stamp]>().observer)?.dispose() }
        visit?.dispose()
        visitors.append(visitor)
      }
    }
    complete(circuit)
    #expect(steady.faults == 0)
    expect(network.promise, of: steady.values, senders: senders)
    let places = Dictionary(zip(steady.values, 0...), uniquingKeysWith: { first, _ in first })
    for visitor in visitors {
      #expect(visitor.faults == 0)
      guard let place = visitor.values.first.flatMap({ places[$0] }) else { continue }
      #expect(visitor.values[...] == steady.values[place...].prefix(visitor.values.count))
    }
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: Network.all)
  func `at most one call of a network begins after a disposal from elsewhere has returned`(_ network: Network) {
    for _ in 0..<20 {
      let circuit = network.make()
      let isDisposed = Atomic(false)
      let late = Atomic(0)
      let observation = circuit.observe(
        Observer(
          value: { _ in if isDisposed.load(ordering: .sequentiallyConsistent) { late.add(1, ordering: .relaxed) } },
          ending: { _ in }))
      onThreads(2) { thread in
        if thread == 0 {
          for number in 0..<200 { circuit.inputs[0].send(value: Stamp(sender: 0, number: number)) }
        } else {
          observation?.dispose()
          isDisposed.store(true, ordering: .sequentiallyConsistent)
        }
      }
      // The thread whose event was being delivered when `dispose` was called.
      #expect(late.load(ordering: .relaxed) <= 1)
    }
  }

  @Test(arguments: Network.all)
  func `a network sends nothing after an ending that one of the threads sends`(_ network: Network) {
    for round in 0..<20 {
      let circuit = network.make()
      let checker = Checker<[Stamp]>()
      let observation = circuit.observe(checker.observer)
      onThreads(circuit.inputs.count) { sender in
        let input = circuit.inputs[sender]
        for number in 0..<100 {
          if number == 50 { round.isMultiple(of: 2) ? input.sendInterrupted() : input.sendCompleted() }
          input.send(value: Stamp(sender: sender, number: number))
        }
      }
      #expect(checker.faults == 0)
      #expect(checker.endings <= 1)
      withExtendedLifetime(observation) {}
    }
  }

  // MARK: Shared helpers

  private func send(into circuit: Circuit) {
    onThreads(circuit.inputs.count) { sender in
      for number in 0..<Self.count { circuit.inputs[sender].send(value: Stamp(sender: sender, number: number)) }
    }
  }

  private func complete(_ circuit: Circuit) {
    for input in circuit.inputs { input.sendCompleted() }
  }

  private func expectEchoes(_ network: Network, _ circuit: Circuit, _ checker: Checker<[Stamp]>) {
    complete(circuit)
    #expect(checker.faults == 0)
    switch network.promise {
    case .everything: #expect(isComplete(checker.values.joined(), senders: 2 * circuit.inputs.count, each: Self.count))
    case .everythingInTurn, .part: #expect(risesStrictly(checker.values))
    case .pairs:
      // The number of echoes depends on their timing; the original values are all present.
      #expect(checker.values.count >= Self.count)
      #expect(risesStrictly(checker.values))
    case .latest: #expect(checker.values.count == Set(checker.values).count)
    }
  }

  private func expect(_ promise: Network.Promise, of rows: [[Stamp]], senders: Int) {
    switch promise {
    case .everything, .everythingInTurn: #expect(isComplete(rows.joined(), senders: senders, each: Self.count))
    case .part: #expect(risesStrictly(rows))
    case .pairs:
      #expect(rows == (0..<Self.count).map { number in (0..<senders).map { Stamp(sender: $0, number: number) } })
    case .latest:
      #expect(rows.count == Set(rows).count)
      #expect(zip(rows, rows.dropFirst()).allSatisfy { zip($0, $1).allSatisfy { $0.number <= $1.number } })
    }
  }

  private func isComplete(_ rows: some Sequence<Stamp>, senders: Int, each count: Int) -> Bool {
    ReactiveCoreTests.isComplete(Array(rows), senders: senders, each: count)
  }

  /// True if no value of a sender is repeated or follows a later one.
  private func risesStrictly(_ rows: [[Stamp]]) -> Bool {
    let bySender = Dictionary(grouping: rows.joined(), by: \.sender).values.map { $0.map(\.number) }
    return bySender.allSatisfy { zip($0, $0.dropFirst()).allSatisfy(<) }
  }
}

/// Sends each received value once more, into a circuit, as another sender's.
private final class Echo: @unchecked Sendable {
  private let circuit: Circuit
  private var last: [Int]

  init(_ circuit: Circuit) {
    self.circuit = circuit
    last = Array(repeating: -1, count: circuit.inputs.count)
  }

  var observer: Observer<[Stamp], Never> { Observer(value: receive, ending: { _ in }) }

  private func receive(_ row: [Stamp]) {
    let senders = circuit.inputs.count
    for stamp in row where stamp.sender < senders && stamp.number > last[stamp.sender] {
      last[stamp.sender] = stamp.number
      circuit.inputs[stamp.sender].send(value: Stamp(sender: stamp.sender + senders, number: stamp.number))
    }
  }
}
