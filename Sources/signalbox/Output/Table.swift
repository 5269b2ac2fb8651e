internal import Linux
internal import SignalGraph

/// Rows of columns: aligned for people, separated by tabs for programs.
struct Table {
  private let header: [String]
  private var rows: [[MarkedText]] = []

  init(_ header: String...) { self.header = header }

  mutating func add(_ row: String...) { add(row) }

  mutating func add(_ row: [String]) { add(row.map { MarkedText($0) }) }

  mutating func add(_ row: [MarkedText]) { rows.append(row.map { $0.mapTexts(Self.onOneLine) }) }

  /// Prints the rows, for people with the header above them and without empty columns.
  func print(to output: Output) {
    guard output.isForPeople else { return print(rows, to: output) }
    let filled = header.indices.filter { column in
      rows.isEmpty || rows.contains { !["", "-"].contains($0[column].plain) }
    }
    let titles = header.map { MarkedText($0, .title) }
    print(([titles] + rows).map { row in filled.map { row[$0] } }, to: output)
  }

  private func print(_ rows: [[MarkedText]], to output: Output) {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].plain.count }.max() ?? 0 }
    for row in rows { output.line(output.isForPeople ? Self.aligned(row, widths) : Self.separated(row)) }
  }

  private static func separated(_ row: [MarkedText]) -> MarkedText {
    row.dropFirst().reduce(row.first ?? "") { $0 + "\t" + $1 }
  }

  /// The cells up to the last one that is not empty.
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

  /// Tabs and ends of lines would look like the table's own.
  private static func onOneLine(_ cell: String) -> String {
    String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 }).visible
  }
}
