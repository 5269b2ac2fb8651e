import Glibc
import ReactiveCore
import TestSupport
import Testing

/// Work that must be linear in the number of elements.
@Suite struct LinearTests {
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    /// Creates `count` elements, and returns the measured work.
    let prepare: @Sendable (Int) -> () -> Void
    var testDescription: String { name }
  }

  static let works: [Work] = [
    Work(name: "observers that leave in the order of their arrival") { count in
      let (signal, input) = Signal<Int, Never>.pipe()
      let observations = (0..<count).map { _ in signal.observeValues { _ in } }
      return {
        for observation in observations { observation?.dispose() }
        withExtendedLifetime(input) {}
      }
    },
    Work(name: "observers that leave from the middle") { count in
      let (signal, input) = Signal<Int, Never>.pipe()
      let observations = (0..<count).map { _ in signal.observeValues { _ in } }
      return {
        for index in 0..<count { observations[(index * 7919) % count]?.dispose() }
        withExtendedLifetime(input) {}
      }
    },
    Work(name: "members that are taken out of a composite") { count in
      let composite = CompositeDisposable()
      let removals = (0..<count).map { _ in composite.add {} }
      return { for removal in removals { removal?.dispose() } }
    },
    Work(name: "an update of each of the sources of combineLatest") { count in
      let pipes = (0..<count).map { _ in Signal<Int, Never>.pipe() }
      let observation = Signal.combineLatest(pipes.map(\.output)).observeValues { _ in }
      for pipe in pipes { pipe.input.send(value: 0) }
      return {
        for pipe in pipes { pipe.input.send(value: 1) }
        withExtendedLifetime(observation) {}
      }
    },
  ]

  @Test(arguments: works) func `four times as much takes about four times as long`(_ work: Work) {
    // The minimum of several tries, in this thread's processor time: other threads do not count.
    let ratio = (0..<5).map { _ in Self.seconds(work.prepare(8000)) / Self.seconds(work.prepare(2000)) }.min() ?? 0
    #expect(ratio < 9, "quadratic would be 16")
  }

  private static func seconds(_ work: () -> Void) -> Double {
    let before = processorTime()
    work()
    return processorTime() - before
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `observers that come and go among others receive all in the order of their arrival`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var random = SplitMix(seed: 1)
    var present: [(number: Int, observation: (any Disposable)?)] = []
    var seen: [Int] = []
    for number in 0..<500 {
      present.append((number, signal.observeValues { _ in seen.append(number) }))
      if number % 3 > 0 { present.remove(at: Int.random(in: present.indices, using: &random)).observation?.dispose() }
      seen = []
      input.send(value: number)
      #expect(seen == present.map(\.number))
    }
    seen = []
    signal.observeCompleted { seen.append(-1) }
    input.sendCompleted()
    #expect(seen == [-1])
  }

  @Test func `a composite disposes of what is left in it in the order of arrival`() {
    let composite = CompositeDisposable()
    var random = SplitMix(seed: 2)
    var present: [(number: Int, removal: (any Disposable)?)] = []
    var seen: [Int] = []
    for number in 0..<500 {
      present.append((number, composite.add { seen.append(number) }))
      if number % 3 > 0 {
        let (_, removal) = present.remove(at: Int.random(in: present.indices, using: &random))
        removal?.dispose()
        removal?.dispose()
      }
    }
    composite.dispose()
    #expect(seen == present.map(\.number))
  }
}
