/// The listeners of a signal: how many there are, and the runs of a cold one.
///
/// They are counted whatever the signal's traits say now: a reload may make any signal lazy or cold, or cease to.
struct Listeners {
  private(set) var count: UInt32 = 0
  /// The runs of a cold signal, one for each subscriber.
  private var runs: [UInt64: ColdRun] = [:]

  var isEmpty: Bool { count == 0 }

  mutating func arrive() { count += 1 }
  mutating func leave() { count -= 1 }

  mutating func add(_ run: ColdRun) { runs[run.number] = run }
  mutating func forget(_ run: ColdRun) { runs[run.number] = nil }

  /// In the order of their arrival.
  var coldRuns: [ColdRun] {
    runs.isEmpty ? [] : runs.values.sorted { $0.number < $1.number }
  }
}
