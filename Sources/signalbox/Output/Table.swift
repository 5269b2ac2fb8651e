internal import GraphModel
internal import Linux

/// Rows of columns: aligned for people, separated by tabs for programs.
struct Table {
  private var header: [String]
  private var rows: [[MarkedText]] = []

  init(_ header: String...) { self.init(header) }

  init(_ header: [String]) { self.header = header }

  mutating func add(_ row: String...) { add(row) }

  mutating func add(_ row: [String]) { add(row.map { MarkedText($0) }) }

  mutating func add(_ row: [MarkedText]) { rows.append(row.map { $0.mapTexts(Self.onOneLine) }) }

  /// Prints the rows; for people, with the header and without empty columns.
  func print(to output: Output) {
    guard output.isForPeople else { return print(rows, to: output) }
    let filled = filled
    let titles = header.map { MarkedText($0, .title) }
    print(([titles] + rows).map { row in filled.map { row[$0] } }, to: output)
  }

  /// Returns the table without as many of some columns as it takes to fit a terminal, the first one first.
  func fitted(to width: Int?, dispensing titles: [String]) -> Table {
    var table = self
    for title in titles where !table.fits(width) {
      guard let column = table.header.firstIndex(of: title) else { continue }
      table.header.remove(at: column)
      for row in table.rows.indices { table.rows[row].remove(at: column) }
    }
    return table
  }

  /// Returns the table with the names in its first column shortened as far as it takes to fit a terminal.
  func shorteningNames(to width: Int?) -> Table {
    guard let width, !fits(width) else { return self }
    let room = (widths.first ?? 0) + width - needed(width)
    let short = ShortNames(rows.map { $0[0].plain }, width: max(Self.leastName, room))
    var table = self
    for row in rows.indices where !Self.isHeading(rows[row]) {
      table.rows[row][0] = rows[row][0].mapTexts { short[$0] }
    }
    return table
  }

  /// Indicates that no line is longer than a terminal is wide; the last cell may be wrapped.
  func fits(_ width: Int?) -> Bool { width.map { needed($0) <= $0 } ?? true }

  /// The columns that the table takes of a terminal.
  private func needed(_ width: Int) -> Int {
    widths.dropLast().reduce(0) { $0 + $1 + 2 } + min(widths.last ?? 0, Self.leastRoom(width))
  }

  /// The widths of the columns that are not empty.
  private var widths: [Int] { filled.map { column in Self.width(of: column, [header.map { MarkedText($0) }] + rows) } }

  private static func width(of column: Int, _ rows: [[MarkedText]]) -> Int {
    rows.filter { !isHeading($0) }.map { $0[column].plain.count }.max() ?? 0
  }

  /// True for a row with nothing behind its first cell, which may be as long as the line.
  private static func isHeading(_ row: [MarkedText]) -> Bool {
    row.count > 1 && row.dropFirst().allSatisfy { $0.plain.isEmpty }
  }

  /// The columns that are not empty.
  private var filled: [Int] {
    header.indices.filter { column in rows.isEmpty || rows.contains { !["", "-"].contains($0[column].plain) } }
  }

  private func print(_ rows: [[MarkedText]], to output: Output) {
    let widths = (rows.first ?? []).indices.map { Self.width(of: $0, rows) }
    for row in rows {
      if output.isForPeople {
        for line in Self.broken(row, widths, output.width) { output.line(Self.aligned(line, widths)) }
      } else {
        output.line(Self.separated(row))
      }
    }
  }

  private static func separated(_ row: [MarkedText]) -> MarkedText {
    row.dropFirst().reduce(row.first ?? "") { $0 + "\t" + $1 }
  }

  /// The least width that names are shortened to.
  private static let leastName = 8

  /// The least width for wrapping the last cell.
  private static func leastRoom(_ terminal: Int) -> Int { min(20, terminal / 3) }

  /// Wraps the last cell of a row if it exceeds the terminal.
  private static func broken(_ row: [MarkedText], _ widths: [Int], _ terminal: Int?) -> [[MarkedText]] {
    let column = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    guard let terminal else { return [row] }
    if isHeading(row) { return [[row[0].mapTexts { $0.shortened(to: terminal) }] + row.dropFirst()] }
    guard let last = row.last, terminal - column >= leastRoom(terminal), last.plain.count > terminal - column else {
      return [row]
    }
    // A text of several parts has the mark of the worst of them.
    let marks = last.parts.map(\.mark)
    let mark = [.error, .warning].first { marks.contains($0) } ?? marks.first ?? nil
    let texts = WrappedText.lines(last.plain, width: terminal - column, column: 0)
      .map { $0.shortened(to: terminal - column) }
    let rest = texts.dropFirst().map { text in
      [MarkedText](repeating: "", count: row.count - 1) + [MarkedText(text, mark)]
    }
    return [row.dropLast() + [MarkedText(texts[0], mark)]] + rest
  }

  /// Aligns the cells up to the last one that is not empty.
  private static func aligned(_ row: [MarkedText], _ widths: [Int]) -> MarkedText {
    var line: MarkedText = ""
    var gap = 0
    for (cell, width) in zip(row, widths) {
      if !cell.plain.isEmpty {
        line = line + MarkedText(String(repeating: " ", count: gap)) + cell
        gap = 0
      }
      gap += width - cell.plain.count + 2
    }
    return line
  }

  /// Tabs and line breaks would be mistaken for the table's own.
  private static func onOneLine(_ cell: String) -> String {
    String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 }).visible
  }
}
