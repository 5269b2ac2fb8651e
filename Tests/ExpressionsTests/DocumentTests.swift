import Foundation
import JSON
import Testing

@testable import Expressions

/// The blocks of the document on expressions.
struct DocumentTests {
  private static let text: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return (try? String(contentsOf: root.appending(path: "docs/expressions.md"), encoding: .utf8)) ?? ""
  }()

  /// Each line of the blocks: `EXPRESSION  # INPUT → OUTPUT  OUTPUT …`.
  private static let examples: [Case] = {
    var examples: [Case] = []
    var isInBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInBlock = line == "```jq"
      } else if isInBlock {
        let parts = line.components(separatedBy: "  # ")
        let results = (parts.last ?? "").components(separatedBy: " → ")
        examples.append(Case(parts[0], results[0], (results.last ?? "").components(separatedBy: "  ")))
      }
    }
    return examples
  }()

  @Test(arguments: examples)
  func `each line of the document gives the outputs beside it`(example: Case) throws {
    #expect(try run(example.expression, example.input) == example.outputs)
  }

  @Test func `the document has examples, and names all that is left out`() {
    #expect(Self.examples.count > 30)
    for name in Omission.functions.keys { #expect(Self.text.contains("`\(name)`"), "\(name)") }
    for name in Omission.variables.keys { #expect(Self.text.contains("`$\(name)`"), "\(name)") }
  }
}
