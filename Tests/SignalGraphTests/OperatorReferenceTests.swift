import Foundation
import SignalGraph
import Testing

struct OperatorReferenceTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/operators.md").standardizedFileURL

  /// `UPDATE_SNAPSHOTS=1 swift test --filter OperatorReferenceTests` writes the page anew.
  @Test func `the page on operators is what their declarations say`() throws {
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Data(OperatorReference.markdown.utf8).write(to: Self.page)
    }
    let written = try String(decoding: Data(contentsOf: Self.page), as: UTF8.self)
    #expect(
      written == OperatorReference.markdown, "write it anew: UPDATE_SNAPSHOTS=1 swift test --filter OperatorReference")
  }

  @Test func `every operator and source has a section`() {
    let headings = OperatorReference.markdown.split(separator: "\n").filter { $0.hasPrefix("### ") }
    #expect(
      headings.map { $0.dropFirst(4) }.sorted()
        == (Catalogue.operators.map(\.name) + Catalogue.sources.map(\.name)).map { $0[...] }.sorted())
  }
}
