/// The columns besides the signal's name, which signals can be sorted by.
struct TopColumn: Sendable {
  let title: String
  /// The order of removal if there is no space for all: the highest ranks first.
  let rank: Int
  let width: Int
  let cell: @Sendable (Activity) -> String
  /// The sort key, largest first; signals without one are last.
  let amount: @Sendable (Activity) -> Double?

  /// - Parameter width: At least that of the title and a sort mark; the default is enough for a count or a time.
  private init(
    _ title: String, rank: Int, width: Int = 7, cell: @escaping @Sendable (Activity) -> String,
    amount: @escaping @Sendable (Activity) -> Double?
  ) {
    self.title = title
    self.rank = rank
    self.width = max(width, title.count + 1)
    self.cell = cell
    self.amount = amount
  }

  private init(_ title: String, rank: Int, count: @escaping @Sendable (Activity) -> Double) {
    self.init(title, rank: rank, cell: { Figures.count(count($0)) }, amount: count)
  }

  static let all = [
    TopColumn("VALUES/S", rank: 1) { $0.rate },
    TopColumn("LATENCY", rank: 5, cell: { $0.latency.map(Figures.time) ?? "-" }, amount: { $0.latency }),
    TopColumn("SUBSCRIBERS", rank: 3) { $0.counts.subscribers },
    TopColumn("VALUES", rank: 8) { $0.counts.values },
    TopColumn("ERRORS", rank: 4) { $0.counts.errors },
    TopColumn("DROPPED", rank: 6) { $0.counts.dropped },
    TopColumn("LOST", rank: 7) { $0.counts.lost },
    TopColumn("WAITING", rank: 9) { $0.counts.waiting },
    TopColumn("OLDEST", rank: 10, cell: { $0.counts.oldest.map(Figures.span) ?? "-" }, amount: { $0.counts.oldest }),
    // The last failure of a call or of the source, which may be over.
    TopColumn(
      "FAILURE", rank: 11, width: 10, cell: { $0.counts.failure ?? "-" }, amount: { $0.counts.failure == nil ? 0 : 1 }),
    // The age of the last value, or the end of the signal.
    TopColumn(
      "AGE", rank: 2, width: "interrupted".count,
      cell: { $0.counts.ending ?? $0.counts.age.map(Figures.span) ?? "-" }, amount: { $0.counts.age }),
  ]
}
