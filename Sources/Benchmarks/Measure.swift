import CAllocations
import Glibc
import ReactiveCore

/// The core's own limit for a shape.
enum Limit {
  /// A ratio to hand-written closures in the same run.
  case ratio(Double)
  /// Nanoseconds, if closures have no counterpart.
  case nanoseconds(Double)

  /// The limit for a value on its way, through joins as well.
  static var value: Limit { .ratio(0.5) }
  /// The limit for a value on its way with allocations.
  static var allocation: Limit { .ratio(1.1) }
}

/// The result of one measurement.
struct Measurement {
  let name: String
  /// Nanoseconds per event: the median of the rounds.
  let nanoseconds: Double
  let limit: Limit?
  /// The reference work through hand-written closures, if there is a counterpart.
  let reference: Double?
  /// Memory blocks allocated per event.
  let allocations: Double
  /// A remark beside the figures.
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

/// Returns the middle figure.
func median(of figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }

/// Returns the median of the rounds, in nanoseconds per event, of this thread's processor time: other load on the
/// machine matters little.
///
/// `prepare` builds the measured objects and returns the work, which takes the number of events.
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

/// Returns the memory blocks that the work allocates, per event.
func allocations(_ events: Int, _ prepare: () -> (Int) -> Void) -> Double {
  let work = prepare()
  work(100)
  signalbox_count_allocations()
  work(events)
  return Double(signalbox_counted_allocations()) / Double(events)
}

/// The text that the name of a measured shape must contain.
nonisolated(unsafe) var wanted = ""

/// Measures `prepare`, and `reference` beside it in the same run; nil if it is not selected.
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
