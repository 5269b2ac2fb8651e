import CAllocations
import Glibc
import ReactiveCore

/// Two threads that send to one signal as fast as they can: wall-clock time per event, and the share of each sender.
///
/// It is meaningful only with two idle processors.
func twoThreads() -> Measurement? {
  let name = "2 threads sending to one signal"
  guard wanted.isEmpty || name.contains(wanted) else { return nil }
  signalbox_count_allocations()
  let rounds = (0..<9).map { _ in contend(for: 1e8) }
  let made = signalbox_counted_allocations()
  let shares = rounds.map { 100 * Double($0.min() ?? 0) / Double($0.sum) }
  return Measurement(
    name: name, nanoseconds: median(of: rounds.map { 1e8 / Double($0.sum) }), limit: .nanoseconds(60),
    reference: nil,
    allocations: Double(made) / Double(rounds.map(\.sum).sum),
    remark:
      "the slower thread sent \(Int(median(of: shares))) % of them, in the worst round \(Int(shares.min() ?? 0)) %")
}

extension [Int] {
  fileprivate var sum: Int { reduce(0, +) }
}

/// The number of values that each of two threads sends within a duration.
private func contend(for duration: Double) -> [Int] {
  let (signal, input) = Numbers.pipe()
  signal.observeValues { sink &+= $0 }
  let start = nanoseconds(of: CLOCK_MONOTONIC) + 1e6
  let senders = [Sender(input, from: start, to: start + duration), Sender(input, from: start, to: start + duration)]
  for thread in senders.map({ $0.begin() }) { pthread_join(thread, nil) }
  return senders.map(\.count)
}

/// A thread that sends continuously.
private final class Sender: @unchecked Sendable {
  private let input: Numbers.Observer
  private let start: Double
  private let end: Double
  private(set) var count = 0

  init(_ input: Numbers.Observer, from start: Double, to end: Double) {
    (self.input, self.start, self.end) = (input, start, end)
  }

  func begin() -> pthread_t {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Sender>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    return thread
  }

  private func run() {
    while nanoseconds(of: CLOCK_MONOTONIC) < start {}
    while nanoseconds(of: CLOCK_MONOTONIC) < end {
      for number in 0..<32 { input.send(value: number) }
      count += 32
    }
  }
}
