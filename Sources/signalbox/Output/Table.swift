internal import Linux

/// Rows of columns: aligned for people, separated by tabs for programs.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []

  init(_ header: String...) { self.header = header }

  mutating func add(_ row: String...) { add(row) }

  mutating func add(_ row: [String]) { rows.append(row.map(Self.onOneLine)) }

  /// Prints the rows, for people with the header above them and without the columns in which nothing stands.
  func print(to output: Output) {
    guard output.isForPeople else { return print(rows, to: output) }
    let filled = header.indices.filter { column in
      rows.isEmpty || rows.contains { $0[column] != "-" && !$0[column].isEmpty }
    }
    print(([header] + rows).map { row in filled.map { row[$0] } }, to: output)
  }

  /// Prints the rows alone.
  func printRows(to output: Output) { print(rows, to: output) }

  private func print(_ rows: [[String]], to output: Output) {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      output.line(output.isForPeople ? Self.aligned(row, widths) : row.joined(separator: "\t"))
    }
  }

  private static func aligned(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(row, widths) {
      line += cell + String(repeating: " ", count: width - cell.count + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Tabs and ends of lines would look like the table's own.
  private static func onOneLine(_ cell: String) -> String {
    String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 }).visible
  }
}
