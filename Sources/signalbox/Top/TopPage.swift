internal import JSON
internal import Linux

/// The table of `top`, made to fit a terminal.
struct TopPage {
  private static let columns = ["VALUES/S", "LATENCY", "SUBSCRIBERS", "VALUES", "ERRORS", "DROPPED", "LOST"]
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
  func lines(rows: Int, columns: Int) -> [String] {
    let nameWidth = max(8, columns - Self.columns.reduce(0) { $0 + $1.count + 2 })
    var lines = [Self.cut(summary, to: columns)]
    lines.append(Self.inverse + Self.cut(Self.row("SIGNAL", nameWidth, Self.columns), to: columns) + Self.plain)
    for activity in activities.prefix(max(0, rows - 2)) {
      let text = Self.cut(Self.row(activity.name, nameWidth, Self.cells(activity)), to: columns)
      lines.append(activity.isTroubled ? Self.bold + text + Self.plain : text)
    }
    return Array(lines.prefix(rows))
  }

  private var summary: String {
    let daemon = sample.daemon
    let rate = activities.reduce(0) { $0 + $1.rate }
    return [
      "up \(Figures.span(sample.uptime))", "generation \(Figures.count(daemon.number("generation")))",
      "\(Figures.count(daemon.number("connections"))) clients",
      "\(Figures.count(daemon.number("subscriptions"))) subscriptions", "\(Figures.count(rate)) values/s",
      "\(Figures.bytes(daemon.number("held_bytes"))) held", "\(Figures.bytes(daemon.number("memory_bytes"))) resident",
    ].joined(separator: ", ")
  }

  private static func cells(_ activity: Activity) -> [String] {
    let counts = activity.counts
    return [Figures.count(activity.rate), activity.latency.map(Figures.time) ?? "-"]
      + [counts.subscribers, counts.values, counts.errors, counts.dropped, counts.lost].map(Figures.count)
  }

  private static func row(_ name: String, _ nameWidth: Int, _ cells: [String]) -> String {
    let name = cut(name.visible, to: nameWidth)
    var row = name + spaces(nameWidth - name.count)
    for (cell, column) in zip(cells, columns) { row += spaces(column.count + 2 - cell.count) + cell }
    return row
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }
}
