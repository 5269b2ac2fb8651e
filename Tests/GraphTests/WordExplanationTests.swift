import GraphCatalogue
import GraphTools
import Testing

struct WordExplanationTests {
  @Test func `an operator is explained with its parameters and its diagram`() throws {
    let word = try #require(WordExplanation.all.first { $0.name == "debounce" })
    #expect(
      word.text() == """
        debounce (an operator): Emits the latest value once the input has been quiet for a while.

          - debounce: INTERVAL
          - debounce: {interval: INTERVAL, on_completion: ON_COMPLETION}

          interval       the required quiet time             a duration, required
          on_completion  emit the pending value, or drop it  one of flush, discard, default flush

        Example:

          - debounce: 2s

          in   1--23-----4|
          out  --1---3----(4|)

        """)
  }

  @Test func `everything that the catalogue has is explained`() {
    #expect(WordExplanation.all.count == Catalogue.operators.count + Catalogue.sources.count)
    #expect(WordExplanation.all.allSatisfy { $0.text().hasPrefix($0.name) && $0.text().hasSuffix("\n") })
  }
}
