import CAllocations
import Glibc

/// What one measurement found.
struct Measurement {
  let name: String
  /// Nanoseconds per event: the median of the rounds.
  let nanoseconds: Double
  /// The same work through closures written by hand, if there is such a thing.
  let reference: Double?
  /// Blocks of memory asked for, per event.
  let allocations: Double
}

/// Keeps results alive, so that the work is not optimised away.
nonisolated(unsafe) var sink = 0

/// Hides a value from the optimiser, as a value that comes from elsewhere would be hidden.
@inline(never) @_optimize(none) func opaque<Value>(_ value: Value) -> Value { value }

/// The processor time of this thread: what else the machine does counts little.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The median of the rounds, in nanoseconds per event.
///
/// `prepare` builds what is measured and returns the work, which is given the number of events.
func median(_ events: Int, rounds: Int = 9, _ prepare: () -> (Int) -> Void) -> Double {
  let times = (0..<rounds).map { _ -> Double in
    let work = prepare()
    work(events / 10)
    let start = processorTime()
    work(events)
    return (processorTime() - start) / Double(events)
  }
  return times.sorted()[rounds / 2]
}

/// Blocks of memory that the work asks for, per event.
func allocations(_ events: Int, _ prepare: () -> (Int) -> Void) -> Double {
  let work = prepare()
  work(100)
  let before = signalbox_allocations()
  work(events)
  return Double(signalbox_allocations() - before) / Double(events)
}

/// What the name of a shape must contain for it to be measured.
nonisolated(unsafe) var wanted = ""

/// Measures `prepare`, and `reference` beside it in the same run; nil if it is not wanted.
func measure(
  _ name: String, events: Int = 2_000_000, per units: Int = 1, reference: (() -> (Int) -> Void)? = nil,
  _ prepare: () -> (Int) -> Void
) -> Measurement? {
  guard wanted.isEmpty || name.contains(wanted) else { return nil }
  return Measurement(
    name: name, nanoseconds: median(events, prepare) / Double(units),
    reference: reference.map { median(events, $0) / Double(units) },
    allocations: allocations(min(events, 10_000), prepare) / Double(units))
}

/// Prints a number in a column of this width.
func column(_ value: Double, _ width: Int = 12) -> String {
  let hundredths = Int((value * 10).rounded())
  let text = "\(hundredths / 10).\(abs(hundredths % 10))"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}
