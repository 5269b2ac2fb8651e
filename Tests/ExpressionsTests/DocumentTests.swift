import Foundation
import JSON
import TestSupport
import Testing

@testable import Expressions

struct DocumentTests {
  private static let lines = (try? Committed.lines(of: "docs/expressions.md")) ?? []

  /// Each line of the blocks: `EXPRESSION  # INPUT → OUTPUT  OUTPUT …`.
  private static let examples: [Case] = {
    var examples: [Case] = []
    var isInBlock = false
    for line in lines {
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
    let text = Self.lines.joined(separator: "\n")
    for name in Omission.functions.keys { #expect(text.contains("`\(name)`"), "\(name)") }
    for name in Omission.variables.keys { #expect(text.contains("`$\(name)`"), "\(name)") }
  }
}
