import Linux
import ReactiveCore

/// How long a signal's subscribers have waited for its values: from the beginning of a turn, when the daemon read what
/// caused them, to its end, when every subscriber had been written to.
final class Latency {
  /// Turns in which subscribers were written to.
  private(set) var count: UInt64 = 0
  /// The time that these have taken together, in nanoseconds.
  private(set) var nanoseconds: Int64 = 0
  /// Whether this turn has values of the signal.
  fileprivate var isNoted = false

  fileprivate func add(nanoseconds duration: Int64) {
    count += 1
    nanoseconds += duration
    isNoted = false
  }
}

// MARK: - Handing over

extension Latency {
  func store(in writer: inout StateWriter) {
    count.store(in: &writer)
    nanoseconds.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    count = try UInt64(from: &reader)
    nanoseconds = try Int64(from: &reader)
  }
}

/// The signals with values in this turn, whose subscribers wait for its end.
struct TurnLatencies {
  private var noted: [Latency] = []

  /// Notes that this turn has values of a signal.
  @inline(__always)
  mutating func note(_ latency: Latency) {
    if latency.isNoted { return }
    latency.isNoted = true
    noted.append(latency)
  }

  /// Counts how long the values of the turn took, once all is written.
  mutating func end(begun begin: MonotonicInstant) {
    if noted.isEmpty { return }
    let nanoseconds = MonotonicInstant.now().nanoseconds - begin.nanoseconds
    for latency in noted { latency.add(nanoseconds: nanoseconds) }
    noted.removeAll(keepingCapacity: true)
  }
}
