internal import JSON
internal import Linux

/// The table of `top`, made to fit a terminal.
struct TopPage {
  /// What is shown of each signal.
  private struct Column: Sendable {
    let title: String
    /// Where there is no room for all columns, the highest go first.
    let rank: Int
    let width: Int
    let cell: @Sendable (Activity) -> String

    /// - Parameter width: At least that of the title; what is enough for a count or a time, where nothing is said.
    init(title: String, rank: Int, width: Int = 7, cell: @escaping @Sendable (Activity) -> String) {
      self.title = title
      self.rank = rank
      self.width = max(width, title.count)
      self.cell = cell
    }
  }

  private static let columns = [
    Column(title: "VALUES/S", rank: 1) { Figures.count($0.rate) },
    Column(title: "LATENCY", rank: 5) { $0.latency.map(Figures.time) ?? "-" },
    Column(title: "SUBSCRIBERS", rank: 3) { Figures.count($0.counts.subscribers) },
    Column(title: "VALUES", rank: 8) { Figures.count($0.counts.values) },
    Column(title: "ERRORS", rank: 4) { Figures.count($0.counts.errors) },
    Column(title: "DROPPED", rank: 6) { Figures.count($0.counts.dropped) },
    Column(title: "LOST", rank: 7) { Figures.count($0.counts.lost) },
    // How long ago the last value came, or how the signal came to its end.
    Column(title: "AGE", rank: 2, width: "interrupted".count) {
      $0.counts.ending ?? $0.counts.age.map(Figures.span) ?? "-"
    },
  ]
  /// As much of a name is shown, whatever else has to go.
  private static let leastNameWidth = 16

  private static let inverse = "\u{1b}[7m"
  private static let bold = "\u{1b}[1m"
  private static let plain = "\u{1b}[m"

  private let sample: Sample
  private let activities: [Activity]

  init(_ sample: Sample, _ activities: [Activity]) {
    self.sample = sample
    self.activities = activities
  }

  /// The lines, at most so many and so long.
  func lines(rows: Int, columns width: Int) -> [String] {
    let columns = Self.columns(within: width - Self.leastNameWidth)
    let rest = width - columns.reduce(0) { $0 + $1.width + 2 }
    let nameWidth = min(rest, max(Self.leastNameWidth, activities.map(\.name.count).max() ?? 0))
    func row(_ name: String, _ cell: (Column) -> String) -> String {
      let name = Self.cut(name, to: nameWidth)
      let cells = columns.map { column in Self.spaces(column.width + 2 - cell(column).count) + cell(column) }
      return Self.cut(name + Self.spaces(nameWidth - name.count) + cells.joined(), to: width)
    }
    var lines = [Self.cut(summary, to: width), Self.inverse + row("SIGNAL", \.title) + Self.plain]
    for activity in activities.prefix(max(0, rows - 2)) {
      let text = row(activity.name.visible) { $0.cell(activity) }
      lines.append(activity.isTroubled ? Self.bold + text + Self.plain : text)
    }
    return Array(lines.prefix(rows))
  }

  /// The columns for which there is room, in their order.
  private static func columns(within width: Int) -> [Column] {
    var left = columns
    while left.reduce(0, { $0 + $1.width + 2 }) > width, let last = left.max(by: { $0.rank < $1.rank }) {
      left.removeAll { $0.rank == last.rank }
    }
    return left
  }

  private var summary: String {
    let daemon = sample.daemon
    let rate = activities.reduce(0) { $0 + $1.rate }
    let failed = daemon.number("failed")
    return [
      failed > 0 ? "\(Figures.count(failed)) FAILED" : nil,
      "up \(Figures.span(sample.uptime))", "generation \(Figures.count(daemon.number("generation")))",
      "\(Figures.count(daemon.number("connections"))) clients",
      "\(Figures.count(daemon.number("subscriptions"))) subscriptions", "\(Figures.count(rate)) values/s",
      "\(Figures.bytes(daemon.number("held_bytes"))) held", "\(Figures.bytes(daemon.number("memory_bytes"))) resident",
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }
}
