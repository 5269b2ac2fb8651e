internal import GraphModel
internal import Linux

/// The page of `dev`: the verdicts at fixed positions, then what failed, then the values.
struct DevelopmentPage {
  private static let inverse = "\u{1b}[7m"
  private static let plain = "\u{1b}[m"
  private static let keys = KeyHelp("q quit", "s send", "w why", "r start anew", "↑↓ PgUp PgDn scroll")
  static let titleWidth = 8
  /// Values are omitted rather than shown in fewer rows.
  private static let leastValues = 3

  /// The file.
  let title: String
  /// The verdicts with their titles.
  let verdicts: [(title: String, line: MarkedText)]
  /// The address of the page in a browser.
  let address: String?
  /// The failures, and the other texts to read.
  let details: [MarkedText]
  let signals: [WatchedSignal]
  /// The reason that the values are outdated.
  let trouble: String?
  let prompt: InputPrompt?
  /// The number of lines and signals above the first visible one.
  var first = 0

  /// The number of rows between the verdicts and the footer.
  func room(rows: Int, columns: Int) -> Int {
    max(1, rows - verdicts.count - addressLines(width: columns).count - 3)
  }

  /// It is copied by hand, and must not be cut.
  private func addressLines(width: Int) -> [String] {
    guard let address = address?.visible else { return [] }
    return Hyperlink(address: address).lines(title: "page".padded(to: Self.titleWidth), width: width)
  }

  /// Returns the number of lines that can be scrolled through.
  func length(columns: Int) -> Int { details(columns: columns).count + signals.count + 1 }

  /// Returns the details, with messages wrapped; excerpts and diagrams, which are indented, are cut instead.
  private func details(columns: Int) -> [MarkedText] {
    details.flatMap { line in line.plain.hasPrefix(" ") ? [line] : line.wrapped(to: columns) }
  }

  func lines(rows: Int, columns: Int, _ palette: Palette) -> [String] {
    let width = max(1, columns)
    let head = title.visible.cut(to: width)
    var lines = [Self.inverse + head + String(repeating: " ", count: max(0, width - head.count)) + Self.plain]
    for verdict in verdicts {
      let title = verdict.title.padded(to: Self.titleWidth)
      lines.append(palette.show((MarkedText(title, .title) + verdict.line).cut(to: width)))
    }
    lines += addressLines(width: width) + [""]
    let room = room(rows: rows, columns: width)
    let details = details(columns: width)
    let shown = details.dropFirst(first).prefix(room)
    lines += shown.map { palette.show($0.cut(to: width)) }
    let rest = room - shown.count - (shown.isEmpty ? 0 : 1)
    if !signals.isEmpty, rest >= min(Self.leastValues, room) {
      if !shown.isEmpty { lines.append("") }
      let page = WatchPage(signals: signals, first: max(0, first - details.count), trouble: trouble)
      lines += page.lines(rows: rest + 1, columns: width).dropLast()
    }
    lines += [String](repeating: "", count: max(0, rows - 1 - lines.count))
    lines = Array(lines.prefix(max(1, rows - 1)))
    lines.append(prompt?.line(width: width) ?? Self.keys.line(width: width))
    return Array(lines.suffix(rows))
  }
}

extension String {
  fileprivate func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }

  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension MarkedText {
  /// Returns the text in safe characters, cut to a width.
  fileprivate func cut(to width: Int) -> MarkedText {
    let text = mapTexts { $0.visibleLine.replacing("\t", with: " ") }
    guard text.plain.count > width else { return text }
    var room = width - 1
    let cut = text.mapTexts { part in
      defer { room -= min(room, part.count) }
      return String(part.prefix(room))
    }
    return cut + "…"
  }
}
