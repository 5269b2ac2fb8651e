import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct MarbleTests {
  @Test(arguments: ["", "---", "-a-b|", "a(bc)-#", "-!", "(ab|)"])
  func `a diagram's text can be read and written back`(_ text: String) throws {
    #expect(try MarbleDiagram(parsing: text).description == text)
  }

  @Test func `blanks are ignored`() throws {
    #expect(try MarbleDiagram(parsing: " -a (b c) | ") == MarbleDiagram(parsing: "-a(bc)|"))
  }

  @Test(arguments: [("a|b", 2), ("(ab", 0), ("a()", 1), ("a*", 1), ("a)", 1), ("(a|b)", 3), ("|-#", 2)])
  func `an error is found at its place`(_ text: String, _ offset: Int) {
    let error = #expect(throws: MarbleError.self) { try MarbleDiagram(parsing: text) }
    #expect(error?.offset == offset)
  }

  @Test func `columns are one tick apart`() {
    let test = MarbleTest(tick: .milliseconds(10))
    let recorder = Recorder(test.signal("a-(bc)|"), on: test.scheduler)
    test.scheduler.run()
    #expect(recorder.entries.map(\.date.nanoseconds) == [0, 20_000_000, 20_000_000, 30_000_000])
    #expect(recorder.events == [.value("a"), .value("b"), .value("c"), .completed])
  }

  @Test func `a failure shows both diagrams under each other`() {
    let test = MarbleTest()
    let difference = test.run(test.signal("ab-c|").map { $0 == "b" ? 7 : 0 }, expecting: "ab-a|") { $0 == "b" ? 8 : 0 }
    #expect(
      difference?.description == """
        expected  ab-a|
        actual    aA-a|
                   ^
        A = 7
        """)
  }

  @Test func `events between two columns are a difference`() {
    let test = MarbleTest()
    let difference = test.run(test.signal("a--|").delay(0.5, on: test.scheduler), expecting: "a---|")
    #expect(difference?.legend.first == "a came at 0.5 seconds, between two columns")
  }
}
