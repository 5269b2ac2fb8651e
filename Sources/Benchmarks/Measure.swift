import CAllocations
import Glibc
import ReactiveCore

/// The limit that the core sets itself for a shape.
enum Limit {
  /// So much of what closures written by hand take in the same run.
  case ratio(Double)
  /// So many nanoseconds, where closures have no counterpart.
  case nanoseconds(Double)

  /// The cost of a value on its way, through joins as well.
  static var value: Limit { .ratio(0.5) }
  /// The cost of a value on whose way memory is asked for.
  static var allocation: Limit { .ratio(1.1) }
}

/// The findings of one measurement.
struct Measurement {
  let name: String
  /// Nanoseconds per event: the median of the rounds.
  let nanoseconds: Double
  let limit: Limit?
  /// The same work through closures written by hand, if there is such a thing.
  let reference: Double?
  /// Blocks of memory asked for, per event.
  let allocations: Double
  /// Something to be said beside the figures.
  var remark = ""
}

/// Keeps results alive, so that the work is not optimised away.
nonisolated(unsafe) var sink = 0

/// The time of a clock, in nanoseconds.
func nanoseconds(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The one in the middle.
func median(of figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }

/// The median of the rounds, in nanoseconds per event, of this thread's processor time: what else the machine does
/// counts little.
///
/// `prepare` builds what is measured and returns the work, which is given the number of events.
func median(_ events: Int, rounds: Int = 9, _ prepare: () -> (Int) -> Void) -> Double {
  median(
    of: (0..<rounds).map { _ in
      let work = prepare()
      work(events / 10)
      let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
      work(events)
      return (nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start) / Double(events)
    })
}

/// Blocks of memory that the work asks for, per event.
func allocations(_ events: Int, _ prepare: () -> (Int) -> Void) -> Double {
  let work = prepare()
  work(100)
  signalbox_count_allocations()
  work(events)
  return Double(signalbox_counted_allocations()) / Double(events)
}

/// The text that the name of a shape must contain for it to be measured.
nonisolated(unsafe) var wanted = ""

/// Measures `prepare`, and `reference` beside it in the same run; nil if it is not wanted.
func measure(
  _ name: String, atMost limit: Limit? = nil, events: Int = 2_000_000, per units: Int = 1,
  reference: (() -> (Int) -> Void)? = nil, _ prepare: () -> (Int) -> Void
) -> Measurement? {
  guard wanted.isEmpty || name.contains(wanted) else { return nil }
  return Measurement(
    name: name, nanoseconds: median(events, prepare) / Double(units), limit: limit,
    reference: reference.map { median(events, $0) / Double(units) },
    allocations: allocations(min(events, 10_000), prepare) / Double(units))
}
