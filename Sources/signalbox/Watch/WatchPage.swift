internal import Linux

/// The lines of `watch`, fitted to a terminal.
struct WatchPage {
  private static let leastNameWidth = 12
  private static let leastValueWidth = 12
  /// The width at which most values can be read.
  private static let readableValueWidth = 20
  private static let leastCurveWidth = 8
  private static let inverse = "\u{1b}[7m"
  private static let bold = "\u{1b}[1m"
  private static let plain = "\u{1b}[m"
  private static let keys = KeyHelp("q quit", "↑↓ PgUp PgDn scroll")

  let signals: [WatchedSignal]
  /// The number of signals above the first visible one.
  let first: Int
  /// The reason that the values are outdated; `nil` while they are current.
  let trouble: String?

  /// Returns the number of signals that fit between the header and the footer.
  static func room(rows: Int) -> Int { max(1, rows - 2) }

  func lines(rows: Int, columns: Int) -> [String] {
    let shown = signals.dropFirst(first).prefix(Self.room(rows: rows))
    let values = shown.map { ($0.ending ?? ($0.value.isEmpty ? "-" : $0.shownValue)).visible }
    let widths = Widths(
      columns, longestName: signals.map(\.name.count).max() ?? 0, longestValue: values.map(\.count).max() ?? 0)
    let now = WallTime.now()
    let header = widths.row("SIGNAL", "VALUE", age: "AGE", rate: "VALUES/S", curve: "")
    let top = trouble.map { Self.bold + Self.cut($0, to: columns) } ?? Self.inverse + header
    var lines = [top + Self.plain]
    let names = ShortNames(signals.map(\.name.visible), width: widths.name)
    for (signal, value) in zip(shown, values) {
      let age = signal.age(now).map(Figures.span) ?? "-"
      let rate = signal.rate.map(Figures.count) ?? "-"
      let line = widths.row(
        names[signal.name.visible], value, age: age, rate: rate, curve: signal.curve(width: widths.curve))
      lines.append(signal.ending == nil ? line : Self.bold + line + Self.plain)
    }
    let place = shown.count == signals.count ? "" : "\(first + 1)-\(first + shown.count) of \(signals.count)"
    lines += [String](repeating: "", count: max(0, Self.room(rows: rows) - shown.count))
    lines.append(Self.keys.line(behind: place, width: columns))
    return Array(lines.prefix(rows))
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }

  /// The widths of the columns; the curve is the first to be removed, then the rate and the age, before names are shortened.
  private struct Widths {
    let name: Int
    let value: Int
    let curve: Int
    /// The number of columns of figures.
    private let figures: Int
    private static let figureWidth = 8

    init(_ columns: Int, longestName: Int, longestValue: Int) {
      // The values have room before long names are whole.
      let reserved = max(WatchPage.leastValueWidth, min(longestValue, WatchPage.readableValueWidth))
      let most = max(columns / 2, columns - 2 - reserved)
      let wanted = min(max(WatchPage.leastNameWidth, longestName), most)
      let room = columns - wanted - 2 - WatchPage.leastValueWidth
      figures = min(2, max(0, room / (Self.figureWidth + 2)))
      let figuresWidth = figures * (Self.figureWidth + 2)
      name = max(1, min(wanted, columns - figuresWidth - WatchPage.leastValueWidth - 2))
      let rest = max(1, columns - name - 2 - figuresWidth)
      // Long values take from the curve what it can spare.
      let spare = rest - 2 - max(WatchPage.leastValueWidth, longestValue)
      let hasCurve = rest > WatchPage.leastValueWidth + 10
      curve = hasCurve ? min(Curve.length, max(WatchPage.leastCurveWidth, spare)) : 0
      value = max(1, rest - (curve > 0 ? curve + 2 : 0))
    }

    func row(_ name: String, _ value: String, age: String, rate: String, curve: String) -> String {
      let texts = [age, rate].prefix(figures).map { text in
        "  " + String(repeating: " ", count: max(0, Self.figureWidth - text.count)) + text
      }
      let row = Self.filled(name, self.name) + "  " + Self.filled(value, self.value) + texts.joined()
      return self.curve > 0 ? row + "  " + Self.filled(curve, self.curve) : row
    }

    private static func filled(_ text: String, _ width: Int) -> String {
      let text = WatchPage.cut(text, to: width)
      return text + String(repeating: " ", count: max(0, width - text.count))
    }
  }
}
