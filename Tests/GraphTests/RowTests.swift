import GraphEngine
import Testing

/// Operators in a row that work on each value, which share one stream.
@Suite struct RowTests {
  @Test(arguments: ["", ", {debounce: 1s}"])
  func `an operator that has failed gets no more values of the one before it`(next: String) throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        out: {from: in, on_error: fail, pipe: [{map: '., .'}, {map: 'error("no")'}, {map: .}\(next)]}
        """)
    try graph.send("1", to: "in")
    #expect(graph.signal("out").losses.errors == 1)
    #expect(graph.signal("out").ending != nil)
  }

  @Test func `dependents that end one by one leave the order of the others`() throws {
    let count = 20
    let dependents = (1...count).map { "d\($0): {from: in, pipe: [{take: \($0 % 7 + 1)}]}\n" }.joined()
    let graph = try TestGraph(signals: "in: {input: {}}\n\(dependents)")
    for number in 1...8 {
      _ = graph.said()
      try graph.send("\(number)", to: "in")
      let values = graph.said().filter { !$0.hasSuffix("completed") && !$0.hasPrefix("in") }
      let left = (1...count).filter { $0 % 7 + 1 >= number }
      #expect(values == left.map { "d\($0)#\(number) \(number)" })
    }
  }
}
