import GraphCatalogue
import GraphTools
import TestSupport
import Testing

struct OperatorReferenceTests {
  @Test func `the page on operators is what their declarations say`() throws {
    try Committed.expect(OperatorReference.markdown, at: "docs/operators.md")
  }

  @Test func `every operator and source has a section`() {
    let headings = OperatorReference.markdown.split(separator: "\n").filter { $0.hasPrefix("### ") }
    let names: [String] = Catalogue.operators.map(\.name) + Catalogue.sources.map(\.name)
    #expect(headings.map { String($0.dropFirst(4)) }.sorted() == names.sorted())
  }
}
