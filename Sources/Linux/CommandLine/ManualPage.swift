/// A manual page, written in the macros of man(7) that groff and mandoc share.
package struct ManualPage {
  private(set) package var text: String

  /// A page that begins with its name and says what the thing is, in a few words without a full stop.
  package init(_ name: String, section: Int, _ summary: String) {
    let title = Self.escaped(name.uppercased())
    text = ".TH \"\(title)\" \"\(section)\" \"\" \"signalbox\" \"\"\n"
    self.section("NAME")
    text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
  }

  package mutating func section(_ heading: String) { text += ".SH \"\(Self.escaped(heading))\"\n" }

  package mutating func subsection(_ heading: String) { text += ".SS \"\(Self.escaped(heading))\"\n" }

  /// Running text; blank lines part its paragraphs.
  package mutating func paragraph(_ paragraph: String) { text += ".PP\n" + Self.lines(paragraph) }

  /// A word and, indented below it, its meaning.
  package mutating func item(_ word: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(word))\\fR\n" + Self.lines(meaning)
  }

  package mutating func items(_ items: [(word: String, meaning: String)]) {
    for (word, meaning) in items { item(word, meaning) }
  }

  /// Lines that stay as they are.
  package mutating func code(_ lines: String) { text += ".PP\n.in +4n\n.nf\n\(Self.lines(lines)).fi\n.in\n" }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A dot or an apostrophe at its beginning would make the line a request.
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
