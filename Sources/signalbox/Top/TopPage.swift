internal import JSON
internal import Linux
internal import WireProtocol

/// The table of `top`, fitted to a terminal.
struct TopPage {
  /// The least width of the name.
  private static let leastNameWidth = 16
  /// The least height with a footer; smaller terminals show signals alone.
  private static let leastRowsWithFooter = 6

  private static let inverse = "\u{1b}[7m"
  private static let bold = "\u{1b}[1m"
  private static let plain = "\u{1b}[m"

  private let sample: Sample
  private let activities: [Activity]
  private let chosen: [Activity]
  private let view: TopView

  init(_ sample: Sample, _ activities: [Activity], _ view: TopView) {
    self.sample = sample
    self.activities = activities
    self.view = view
    chosen = view.chosen(activities)
  }

  /// Returns the number of signals that fit.
  static func room(rows: Int) -> Int { max(0, rows - (rows < leastRowsWithFooter ? 2 : 3)) }

  /// The number of signals to show.
  var count: Int { chosen.count }

  /// Returns the lines, which fit the terminal.
  func lines(rows: Int, columns width: Int) -> [String] {
    let room = Self.room(rows: rows)
    let shown = chosen.dropFirst(view.first).prefix(room)
    let columns = Self.columns(within: width - Self.leastNameWidth, ifPossible: view.order.title)
    let rest = width - columns.reduce(0) { $0 + $1.width + 2 }
    let nameWidth = min(rest, max(Self.leastNameWidth, chosen.map(\.name.count).max() ?? 0))
    let names = ShortNames(chosen.map(\.name.visible), width: nameWidth)
    func row(_ name: String, _ cell: (TopColumn) -> String) -> String {
      let name = names[name]
      let cells = columns.map { column in Self.spaces(column.width + 2 - cell(column).count) + cell(column) }
      return Self.cut(name + Self.spaces(nameWidth - name.count) + cells.joined(), to: width)
    }
    var lines = [summary(width: width), Self.inverse + row(title("SIGNAL")) { title($0.title) } + Self.plain]
    for activity in shown {
      let text = row(activity.name.visible) { $0.cell(activity) }
      lines.append(activity.isTroubled ? Self.bold + text + Self.plain : text)
    }
    if rows >= Self.leastRowsWithFooter {
      lines += [String](repeating: "", count: room - shown.count) + [footer(shown.count, width: width)]
    } else if view.isTyping, rows > 0 {
      lines[min(rows, lines.count) - 1] = view.footer(behind: "", width: width)
    }
    return Array(lines.prefix(rows))
  }

  /// Returns a title, with a mark on the column that the signals are sorted by.
  private func title(_ title: String) -> String {
    guard title == view.order.title else { return title }
    // By default, figures are sorted from the largest, names from the first.
    return title + ((title == "SIGNAL") == view.order.isReversed ? "▼" : "▲")
  }

  private func footer(_ shown: Int, width: Int) -> String {
    view.footer(
      behind: shown == count ? "" : "\(view.first + 1)-\(view.first + shown) of \(count)", width: width)
  }

  /// Returns the columns that fit, in order; the sort column is removed last.
  private static func columns(within width: Int, ifPossible wanted: String) -> [TopColumn] {
    var left = TopColumn.all
    func rank(_ column: TopColumn) -> Int { column.title == wanted ? 0 : column.rank }
    while left.reduce(0, { $0 + $1.width + 2 }) > width, let last = left.max(by: { rank($0) < rank($1) }) {
      left.removeAll { $0.title == last.title }
    }
    return left
  }

  /// Returns the figures of the daemon that a line has room for.
  private func summary(width: Int) -> String {
    let daemon = sample.daemon
    let rate = activities.reduce(0) { $0 + $1.rate }
    let failed = daemon.number("failed")
    // In the order of the line, each with its rank: what is of the least interest goes first.
    var parts: [(rank: Int, text: String)] = [
      (2, "up \(Figures.span(sample.uptime))"), (8, "generation \(Figures.count(daemon.number("generation")))"),
      (4, Self.counted(daemon.number("connections"), "client")),
      (5, Self.counted(daemon.number("subscriptions"), "subscription")), (3, "\(Figures.count(rate)) values/s"),
      (7, "\(Figures.bytes(daemon.number("held_bytes"))) held"),
      (6, "\(Figures.bytes(daemon.number("memory_bytes"))) resident"),
    ]
    if sample.awayCount > 0 { parts.insert((1, "\(Figures.count(Double(sample.awayCount))) AWAY"), at: 0) }
    if failed > 0 { parts.insert((0, "\(Figures.count(failed)) FAILED"), at: 0) }
    func line() -> String { parts.map(\.text).joined(separator: ", ") }
    while line().count > width, let last = parts.map(\.rank).max() { parts.removeAll { $0.rank == last } }
    return line()
  }

  private static func counted(_ number: Double, _ noun: String) -> String {
    "\(Figures.count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }
}
