import SignalGraph
import TestSupport
import Testing

struct OperatorReferenceTests {
  @Test func `the page on operators is what their declarations say`() throws {
    try Committed.expect(OperatorReference.markdown, at: "docs/operators.md")
  }

  @Test func `every operator and source has a section`() {
    let headings = OperatorReference.markdown.split(separator: "\n").filter { $0.hasPrefix("### ") }
    #expect(
      headings.map { $0.dropFirst(4) }.sorted()
        == (Catalogue.operators.map(\.name) + Catalogue.sources.map(\.name)).map { $0[...] }.sorted())
  }
}
