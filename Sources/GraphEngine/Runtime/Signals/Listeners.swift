/// The subscribers of a signal: their number, and the runs of a cold one.
///
/// They are counted whatever the signal's present traits: a reload may make any signal lazy or cold, or the reverse.
struct Listeners {
  private(set) var count: UInt32 = 0
  /// True if a mirror of the signal in another runtime has subscribers; all of them count as one here.
  var hasObservedMirror = false
  /// The runs of a cold signal, one for each subscriber.
  private var runs: [UInt64: ColdRun] = [:]

  var isEmpty: Bool { count == 0 && !hasObservedMirror }

  mutating func addSubscriber() { count += 1 }
  mutating func removeSubscriber() { count -= 1 }

  mutating func add(_ run: ColdRun) { runs[run.number] = run }
  mutating func discard(_ run: ColdRun) { runs[run.number] = nil }

  /// The runs in the order of their creation.
  var coldRuns: [ColdRun] {
    runs.isEmpty ? [] : runs.values.sorted { $0.number < $1.number }
  }
}
