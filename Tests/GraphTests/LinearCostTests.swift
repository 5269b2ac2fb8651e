import GraphEngine
import JSON
import TestSupport
import Testing

/// Work that grows with the number of keys or values, and not with its square.
@Suite(.serialized, .inOneRuntime) struct LinearCostTests {
  private static let keys =
    "{from: in, pipe: [{group_by: {key: ., idle: 15s, max_keys: 100000, pipe: [{with_latest: limit}]}}]}"

  /// Graphs to which each number up to a count is sent, before what has become idle ends.
  @Test(arguments: [
    (of: "keys that refer to an ended signal", signals: "limit: {value: 5, hold: true}, out: \(keys)"),
    (
      "keys that refer to a signal with a later dependent",
      "limit: {property: {initial: 5}}, out: \(keys), later: {from: limit, pipe: [{map: . + 1}]}"
    ),
    ("values of a list", "out: {from: in, pipe: [{buffer: {while: length < 100000}}]}"),
  ])
  func `costs each the same, however many there are`(of: String, signals: String) throws {
    func cost(_ count: Int) throws -> Duration {
      let graph = try TestGraph(signals: "{in: {input: {}}, \(signals)}")
      let input = graph.signal("in")
      let begin = ContinuousClock.now
      for number in 0..<count { try graph.runtime.send(.value(.number(Double(number))), to: input) }
      graph.advance(to: 20)
      return ContinuousClock.now - begin
    }
    let few = try cost(1_000)
    // Sixteen times as many; a quadratic cost would be 256 times as high.
    let many = try cost(16_000)
    #expect(many < few * 64, "\(few) for 1,000, \(many) for 16,000")
  }
}
