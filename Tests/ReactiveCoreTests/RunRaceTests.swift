import ReactiveCore
import Synchronization
import Testing

/// The permitted concurrent uses of a run; the thread sanitizer detects data races.
@Suite(.endsIfItHangs) struct RunRaceTests {
  /// Calls `meanwhile` on another thread, again and again, until `work` is done.
  private func race(_ work: @escaping @Sendable () -> Void, _ meanwhile: @escaping @Sendable (Int) -> Void) {
    let isOver = Atomic(false)
    onThreads(2) { thread in
      guard thread == 1 else {
        work()
        return isOver.store(true, ordering: .releasing)
      }
      var number = 0
      while !isOver.load(ordering: .acquiring) {
        meanwhile(number)
        number += 1
      }
    }
  }

  @Test func `a run that follows itself is disposed of while its source sends`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let endings = Atomic(0)
    race {
      for _ in 0..<1000 {
        SignalProducer(signal).take(first: 1).repeat(1_000_000)
          .start(Observer(value: { _ in }, ending: { _ in endings.add(1, ordering: .relaxed) })).dispose()
      }
    } _: {
      input.send(value: $0)
    }
    input.sendCompleted()
    #expect(endings.load(ordering: .relaxed) == 1000)
  }

  @Test func `a run of a shared producer is disposed of while another begins it`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let shared = SignalProducer(signal).share()
    let endings = Atomic(0)
    race {
      for _ in 0..<300 {
        let (outer, outerInput) = Signal<Int, Never>.pipe()
        let run = outer.producer.flatMap(.latest) { _ in shared }
          .start(Observer(value: { _ in }, ending: { _ in endings.add(1, ordering: .relaxed) }))
        onThreads(2) { thread in
          if thread == 1 { return run.dispose() }
          for number in 0..<2 { outerInput.send(value: number) }
        }
      }
    } _: {
      input.send(value: $0)
    }
    #expect(endings.load(ordering: .relaxed) == 300)
  }

  @Test func `a stream of signals is disposed of while the one that it follows ends`() {
    for _ in 0..<300 {
      let (outer, outerInput) = Signal<Signal<Int, Never>, Never>.pipe()
      let (inner, innerInput) = Signal<Int, Never>.pipe()
      let endings = Atomic(0)
      let run = outer.producer.flatten(.merge)
        .start(Observer(value: { _ in }, ending: { _ in endings.add(1, ordering: .relaxed) }))
      outerInput.send(value: inner)
      onThreads(2) { thread in
        if thread == 0 { innerInput.sendCompleted() } else { run.dispose() }
      }
      #expect(endings.load(ordering: .relaxed) == 1)
    }
  }

  @Test func `an iterator is released while its run begins`() {
    for _ in 0..<300 {
      var iterator: ValueSequence<Int, Never>.Iterator? = SignalProducer<Int, Never>(0...).sequence.makeIterator()
      #expect(iterator?.next() == .success(0))
      iterator = nil
    }
  }

  @Test func `a connection is left while another begins it`() {
    for _ in 0..<300 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let producer = SignalProducer(signal).publish().autoconnect()
      let endings = Atomic(0)
      onThreads(2) { _ in
        producer.start(Observer(value: { _ in }, ending: { _ in endings.add(1, ordering: .relaxed) })).dispose()
      }
      #expect(endings.load(ordering: .relaxed) == 2)
      withExtendedLifetime(input) {}
    }
  }
}
