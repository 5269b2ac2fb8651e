import Foundation
import Testing

/// A migration guide: its code blocks, and the names of this library in its tables.
private struct Guide {
  let text: String

  init(_ name: String) throws {
    text = try String(contentsOf: LibrarySource.root.appending(path: "docs/\(name).md"), encoding: .utf8)
  }

  /// The contents of the fences of Swift code.
  var blocks: [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// The cells of the tables' rows, without their headings.
  var rows: [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }.map { line in
      line.dropFirst().dropLast().components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Returns the code between backquotes in a cell.
  static func code(in cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}

/// Returns the library's source as one text.
private func librarySource() throws -> String {
  try LibrarySource.files().map { try String(contentsOf: $0, encoding: .utf8) }.joined()
}

/// Returns the names that the source declares, with their labels; types and members alike, unqualified.
private func declaredNames(in source: String) -> Set<String> {
  var names: Set<String> = []
  for match in source.matches(of: /\b(?:class|struct|enum|protocol|var|let|case|typealias)\s+`?(\w+)/) {
    names.insert(String(match.output.1))
  }
  for match in source.matches(of: /\b(?:func\s+`?([^\s`(<]+|<~)`?|(init)\??|(subscript))\s*(?=[(<])/) {
    let base = String(match.output.1 ?? match.output.2 ?? match.output.3 ?? "")
    names.insert(base)
    names.insert("\(base)(\(labels(of: source[match.range.upperBound...])))")
  }
  return names
}

/// Returns the labels of the first parameter list of `text`, past its generic parameters.
private func labels(of text: Substring) -> String {
  var depth = 0
  var parameter = ""
  var labels = ""
  for character in text.drop(while: { $0 != "(" }) {
    if "([{".contains(character) { depth += 1 }
    if ")]}".contains(character) { depth -= 1 }
    if depth == 1, character == ",", !parameter.contains("<") || isBalanced(parameter) || depth == 0 {
      labels += label(of: parameter)
      parameter = ""
    } else if depth > 0, !(depth == 1 && character == "(" && parameter.isEmpty && labels.isEmpty) {
      parameter.append(character)
    }
    if depth == 0 { break }
  }
  return labels + label(of: parameter)
}

/// True if brackets of generic arguments are balanced, arrows aside.
private func isBalanced(_ text: String) -> Bool {
  let plain = text.replacing("->", with: "")
  return plain.count { $0 == "<" } == plain.count { $0 == ">" }
}

/// Returns the label of a parameter, with its colon.
private func label(of parameter: String) -> String {
  let words = parameter.split(separator: ":")[...].first?.split { $0.isWhitespace }.filter { !$0.hasPrefix("@") } ?? []
  return words.first.map { "\($0):" } ?? ""
}

@Suite struct MigrationDocumentTests {
  @Test(arguments: ["from-reactiveswift", "from-reactivecocoa"])
  func `each code block of a guide is a function that was compiled and run`(name: String) throws {
    let file = LibrarySource.root.appending(path: "Tests/ReactiveCoreTests/MigrationSnippets.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let blocks = try Guide(name).blocks
    #expect(blocks.count > 4)
    for block in blocks {
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let body = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
      #expect(source.contains("() {\n\(body)\n  }\n"), "no function has the body \(block)")
    }
  }

  @Test func `each name that a guide calls the same is declared`() throws {
    let declared = declaredNames(in: try librarySource())
    #expect(declared.contains("take(first:)") && declared.contains("collect(every:on:skipEmpty:discardWhenCompleted:)"))
    let rows = try Guide("from-reactiveswift").rows.filter { $0.count > 1 && $0[1] == "same" }
    #expect(rows.count > 200)
    let missing = rows.flatMap { Guide.code(in: $0[0]) }.filter { !declared.contains(unqualified($0)) }
    #expect(missing == [])
  }

  @Test func `each name that the guide from other libraries gives is declared`() throws {
    let declared = declaredNames(in: try librarySource())
    let rows = try Guide("from-reactivecocoa").rows.filter { $0.last != "here" }
    #expect(rows.count > 60)
    let names = rows.flatMap { Guide.code(in: $0.last ?? "") }.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    #expect(names.filter { !declared.contains($0) } == [])
  }

  /// Returns a name without its enclosing types.
  private func unqualified(_ name: String) -> String {
    let parameters = name.firstIndex(of: "(") ?? name.endIndex
    let base = name[..<parameters].split(separator: ".").last ?? ""
    return "\(base)\(name[parameters...])"
  }
}
