import Foundation
import Testing

/// The mistakes that configuration.md shows.
struct MistakeTests {
  @Test func `the page shows what check says of its file`() throws {
    let page = try Committed.lines(of: "docs/configuration.md")
    let command = try #require(page.firstIndex(of: "$ signalbox check mistakes.yaml"))
    let file = try #require(page[..<command].lastIndex(of: "```yaml"))
    let mistakes = try TemporaryFile(page[(file + 1)...].prefix { $0 != "```" }.joined(separator: "\n") + "\n")
    let result = try Client.run("check", mistakes.path)
    #expect(result.status == 78)
    let shown = page[(command + 1)...].prefix { $0 != "```" }
    let printed = (result.output + result.errors).replacing(mistakes.path, with: "mistakes.yaml")
    #expect(printed == shown.map { $0 + "\n" }.joined())
  }
}
