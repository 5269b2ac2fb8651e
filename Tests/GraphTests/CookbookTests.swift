import Foundation
import GraphCatalogue
import GraphModel
import GraphTools
import TestSupport
import Testing

/// The graphs of the cookbook: each is valid, and its own tests pass.
struct CookbookTests {
  private static let folder = "docs/cookbook"

  private static let files =
    ((try? FileManager.default.contentsOfDirectory(atPath: Committed.path(folder))) ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted()

  @Test(arguments: files, [false, true])
  func `a graph of the cookbook does what its tests say, also if it is restarted all the time`(
    name: String, restarts: Bool
  ) throws {
    let configuration = try Configuration.load(.alone(Committed.path("\(Self.folder)/\(name)")))
    #expect(configuration.warnings.list.isEmpty)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: restarts) { outcomes.append($0) }
    #expect(!outcomes.isEmpty)
    for outcome in outcomes { #expect(outcome.hasPassed, "\(outcome.report)") }
  }

  @Test func `the cookbook explains every file that it has`() throws {
    let text = try Committed.lines(of: "\(Self.folder)/README.md").joined(separator: "\n")
    #expect(Self.files.count >= 15)
    for name in Self.files { #expect(text.contains("[\(name)](\(name))"), "\(name)") }
  }
}
