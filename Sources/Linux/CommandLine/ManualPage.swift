/// A manual page in the macros of man(7) supported by groff and mandoc.
package struct ManualPage {
  private(set) package var text: String

  /// Begins a page with its name and a short summary without a full stop.
  package init(_ name: String, section: Int, _ summary: String) {
    let title = Self.escaped(name.uppercased())
    text = ".TH \"\(title)\" \"\(section)\" \"\" \"signalbox\" \"\"\n"
    self.section("NAME")
    text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
  }

  package mutating func section(_ heading: String) { text += ".SH \"\(Self.escaped(heading))\"\n" }

  package mutating func subsection(_ heading: String) { text += ".SS \"\(Self.escaped(heading))\"\n" }

  /// Appends running text; blank lines separate paragraphs.
  package mutating func paragraph(_ paragraph: String) { text += ".PP\n" + Self.lines(paragraph) }

  /// Appends a word and, indented below it, its meaning.
  package mutating func item(_ word: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(word))\\fR\n" + Self.lines(meaning)
  }

  package mutating func items(_ items: [(word: String, meaning: String)]) {
    for (word, meaning) in items { item(word, meaning) }
  }

  /// Appends verbatim lines.
  package mutating func code(_ lines: String) { text += ".PP\n.in +4n\n.nf\n\(Self.lines(lines)).fi\n.in\n" }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A leading dot or apostrophe would turn the line into a request.
      line.isEmpty ? ".PP\n" : (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + escaped(String(line)) + "\n"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
