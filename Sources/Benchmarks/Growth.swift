import ReactiveCore

/// The cost of an event for increasing counts.
struct Growth {
  let name: String
  /// The counts, and nanoseconds per event.
  let points: [(count: Int, nanoseconds: Double)]

  /// Nanoseconds per event for each additional one: the best-fitting straight line, weighted for the relative error.
  var slope: Double {
    let weights = points.map { 1 / ($0.nanoseconds * $0.nanoseconds) }
    let total = weights.reduce(0, +)
    func mean(_ figures: [Double]) -> Double { zip(figures, weights).map { $0 * $1 }.reduce(0, +) / total }
    let counts = points.map { Double($0.count) }
    let times = points.map(\.nanoseconds)
    let (count, time) = (mean(counts), mean(times))
    return mean(zip(counts, times).map { ($0 - count) * ($1 - time) })
      / mean(counts.map { ($0 - count) * ($0 - count) })
  }
}

/// The growth of the cost of an event: linear in the links of a chain and the observers, nearly constant in keys and
/// inner signals.
func growth() -> [Growth?] {
  [
    measureGrowth("links of a chain", [1, 2, 5, 10, 20, 50], events: { 5_000_000 / $0 }) { length in
      let (signal, input) = Numbers.pipe()
      (0..<length).reduce(signal) { signal, step in signal.map { $0 &+ step } }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measureGrowth("observers", [1, 10, 100, 1_000, 10_000], events: { 2_000_000 / $0 }) { count in
      let (signal, input) = Numbers.pipe()
      for _ in 0..<count { signal.observeValues { sink &+= $0 } }
      return feeding(input)
    },
    measureGrowth("keys of groupBy", [1, 10, 100, 1_000, 10_000]) { count in
      let (signal, input) = Numbers.pipe()
      signal.groupBy { $0 % count }.observeValues { group in group.observeValues { sink &+= $0 } }
      return feeding(input)
    },
    measureGrowth("inner signals of flatten(.merge)", [1, 10, 100, 1_000]) { count in
      let (outer, input) = Signal<Numbers, Never>.pipe()
      outer.flatten(.merge).observeValues { sink &+= $0 }
      let inner = (0..<count).map { _ in Numbers.pipe() }
      for (signal, _) in inner { input.send(value: signal) }
      return { [inputs = inner.map(\.input)] events in
        feedingInTurn(inputs)(events)
        withExtendedLifetime(input) {}
      }
    },
    measureGrowth("other observers while one comes and goes", [1, 10, 100, 1_000, 10_000], events: { _ in 50_000 }) {
      count in
      let (signal, input) = Numbers.pipe()
      for _ in 0..<count { signal.observeValues { sink &+= $0 } }
      return { events in
        for _ in 0..<events { signal.observeValues { sink &+= $0 }?.dispose() }
        withExtendedLifetime(input) {}
      }
    },
  ]
}

/// Measures the work that `prepare` builds for each count; nil if it is not selected.
private func measureGrowth(
  _ name: String, _ counts: [Int], events: (Int) -> Int = { _ in 1_000_000 }, _ prepare: (Int) -> (Int) -> Void
) -> Growth? {
  guard wanted.isEmpty || "growth \(name)".contains(wanted) else { return nil }
  return Growth(
    name: name, points: counts.map { count in (count, median(events(count), rounds: 5) { prepare(count) }) })
}
