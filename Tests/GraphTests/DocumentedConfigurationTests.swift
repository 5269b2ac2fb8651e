import GraphCatalogue
import GraphModel
import GraphTools
import TestSupport
import Testing

/// The whole configurations on pages of the documentation: each is valid, and its own tests pass.
struct DocumentedConfigurationTests {
  /// A configuration of a page, the first of which is number 1.
  struct Example: CustomTestStringConvertible, Sendable {
    let page: String
    let number: Int
    let text: String

    var testDescription: String { "\(page), \(number)" }
  }

  /// The pages, with the number of their first configurations that are examples and not errors.
  private static let pages = [
    ("README.md", 1), ("docs/configuration.md", 1), ("docs/from-others.md", 20), ("docs/state.md", 1),
  ]

  private static let examples = pages.flatMap { page, count in
    configurations(of: page).prefix(count).enumerated().map { Example(page: page, number: $0 + 1, text: $1) }
  }

  /// Returns the blocks of YAML of a page that name the format's version.
  private static func configurations(of page: String) -> [String] {
    let lines = (try? Committed.lines(of: page)) ?? []
    var rest = lines[...]
    var blocks: [String] = []
    while let start = rest.firstIndex(of: "```yaml") {
      let block = rest[(start + 1)...].prefix { $0 != "```" }
      if block.contains(where: { $0.hasPrefix("signalbox: 1") }) { blocks.append(block.joined(separator: "\n") + "\n") }
      rest = rest[block.endIndex...].dropFirst()
    }
    return blocks
  }

  @Test func `each page has its configurations`() {
    #expect(Self.examples.count == Self.pages.map(\.1).reduce(0, +))
  }

  @Test(arguments: examples, [false, true])
  func `a configuration of a page is valid and does what its tests say, also if it is restarted all the time`(
    example: Example, restarts: Bool
  ) throws {
    let world = ConfigurationWorld(files: ["page.yaml": example.text])
    let configuration = try Configuration.load(.alone("page.yaml"), inputs: world.inputs)
    #expect(configuration.warnings.list.isEmpty)
    configuration.runTests(restarts: restarts) { outcome in #expect(outcome.hasPassed, "\(outcome.report)") }
  }
}
