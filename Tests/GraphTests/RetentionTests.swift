import GraphEngine
import JSON
import TestSupport
import Testing

/// The retained values for new subscribers.
@Suite struct `Retained values` {
  @Test(arguments: [1, 2, 3, 5, 64, 100, 1000])
  func `the newest values that are not too old are kept, in their order`(count: Int) throws {
    var random = SplitMix(seed: UInt64(count))
    let graph = try TestGraph(signals: "x: {input: {}, replay: {count: \(count), for: 1s}}")
    var kept: [(number: Int, millisecond: Int)] = []
    var now = 0
    for number in 0..<3000 {
      // Busy and quiet times, so that the retained values grow and shrink.
      now += number / 500 % 2 == 0 ? Int.random(in: 0...2, using: &random) : Int.random(in: 0...700, using: &random)
      graph.move(to: Double(now) / 1000)
      try graph.send("\(number)", to: "x")
      kept = (kept + [(number, now)]).suffix(count).filter { now - $0.millisecond <= 1000 }
      guard number % 17 == 0 else { continue }
      let retained = graph.signal("x").retained
      #expect(retained.count == kept.count, "after value \(number)")
      #expect(retained.latest(count).map { $0.payload.value } == kept.map { .number(Double($0.number)) })
      #expect(retained.last?.sequence == UInt64(number) + 1)
    }
  }

  @Test(.inOneRuntime) func `a replay of many values costs each of them the same`() throws {
    func time(_ count: Int) throws -> Duration {
      let graph = try TestGraph(signals: "x: {input: {}, replay: {count: \(count), for: 1s}}")
      return try ProcessorTime.of {
        for number in 0..<40_000 {
          graph.move(to: Double(number) / Double(count))
          try graph.send("1", to: "x")
        }
      }
    }
    _ = try time(8)
    #expect(try time(20_000) < time(8) * 20)
  }
}
