import Linux
import Signals

/// The time that a signal's subscribers have waited for its values: from the beginning of an iteration, when the daemon
/// read the input that caused them, to its end, when every subscriber had been written to.
final class Latency {
  /// The number of iterations with writes to subscribers.
  private(set) var count: UInt64 = 0
  /// The total time of these, in nanoseconds.
  private(set) var nanoseconds: Int64 = 0
  /// True if this iteration has values of the signal.
  fileprivate var isNoted = false

  fileprivate func add(nanoseconds duration: Int64) {
    count += 1
    nanoseconds += duration
    isNoted = false
  }
}

// MARK: - Handover

extension Latency: StateFields {
  func code(_ field: inout StateCoder<Latency>) throws(StateError) {
    try field(&count)
    try field(&nanoseconds)
  }
}

/// The signals with values in this iteration, whose subscribers wait for its end.
struct IterationLatencies {
  private var noted: [Latency] = []

  /// Notes that this iteration has values of a signal.
  @inline(__always)
  mutating func note(_ latency: Latency) {
    if latency.isNoted { return }
    latency.isNoted = true
    noted.append(latency)
  }

  /// Adds the time that the values of the iteration took, once all is written.
  mutating func end(begun begin: MonotonicInstant) {
    if noted.isEmpty { return }
    let nanoseconds = MonotonicInstant.now().nanoseconds - begin.nanoseconds
    for latency in noted { latency.add(nanoseconds: nanoseconds) }
    noted.removeAll(keepingCapacity: true)
  }
}
