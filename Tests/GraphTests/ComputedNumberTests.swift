import JSON
import Testing

@testable import GraphEngine
@testable import GraphModel

@Suite struct `A number that a signal has computed` {
  /// Numbers at the borders between the forms that the writer has for them.
  private static let numbers: [Double] = [
    0, -0.0, 1, 0.1, 1e-7, 123_456_789_012_345, 1e15, 12e15, 1e16, -1e16, 1e17, 1.5e17, -1e17, 123_456_789_012_345_680,
    9e18, 0x1p63, -0x1p63, 1e19, 1.5e19, 0x1p64, 1.5e300,
  ]

  @Test(arguments: numbers, ["{v: (.v * 1)}", "{w: .w, v: (.v * 1), x: null}"])
  func `is read by the next one as it is`(number: Double, map: String) throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        m: {from: a, pipe: [{map: '\(map)'}], hold: true}
        n: {from: m, pipe: [{map: .v}]}
        more: {from: m, pipe: [{filter: .v > 1000000}]}
        twice: {from: m, pipe: [{map: '{v: (.v + .v)}'}, {map: .v}]}
        """)
    try graph.send(#"{"w":1,"v":\#(JSONValue.number(number))}"#, to: "a")
    let said = graph.said()
    #expect(said.contains("n#1 \(JSONValue.number(number))"), "\(said)")
    #expect(said.contains("twice#1 \(JSONValue.number(number + number))"), "\(said)")
    #expect(said.contains { $0.hasPrefix("more#1") } == (number > 1_000_000), "\(said)")
  }
}
