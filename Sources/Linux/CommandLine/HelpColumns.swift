/// A help text in two columns: words and their meanings.
package enum HelpColumns {
  package static func text(_ rows: [(word: String, meaning: String)]) -> String {
    let width = rows.map(\.word.count).max() ?? 0
    return rows.map { word, meaning in
      "  \(word)\(String(repeating: " ", count: width - word.count))  \(meaning)"
    }.joined(separator: "\n")
  }
}
