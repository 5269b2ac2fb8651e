import GraphEngine
import Signals
import TestSupport
import Testing

/// Timers that fell due before the clock was advanced run by due time, as if each had been punctual.
@Suite struct `Late timers` {
  /// Signals in which one value is due at 300 ms and another at 320 ms, but was made before that.
  @Test(arguments: [
    "group_by: {key: ., max_keys: 9, pipe: [{debounce: 300ms}]}",
    "group_by: {key: ., idle: 300ms, pipe: [last]}",
    "group_by: {key: ., max_keys: 9, pipe: [{window: {time: 300ms, emit: both}}]}",
    "group_by: {key: '1', max_keys: 9, pipe: [{group_by: {key: ., max_keys: 9, pipe: [{debounce: 300ms}]}}]}",
    "flat_map: {merge: {value: 1, pipe: [{map: $value}, {concat: {never: true}}, {debounce: 300ms}]}}",
  ])
  func `a debounce within another operator waits for its own time`(step: String) throws {
    let graph = try TestGraph(signals: "in: {input: {}, hold: true}\nx: {from: in, pipe: [{\(step)}]}")
    let late = try TestGraph(signals: "in: {input: {}, hold: true}\nx: {from: in, pipe: [{\(step)}]}")
    for each in [graph, late] {
      for (time, value) in [(0, "1"), (0.02, "2"), (0.04, "1")] {
        each.advance(to: time)
        try each.send(value, to: "in")
      }
    }
    graph.advance(to: 2)
    late.jump(to: 2)
    #expect(late.said(by: "x") == graph.said(by: "x"))
  }

  @Test func `two values that are delayed are parted by what is due in between`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        a: {from: in, pipe: [{delay: 300ms}]}
        b: {from: in, pipe: [{delay: 310ms}]}
        """)
    for (time, value) in [(0, "1"), (0.02, "2"), (0.04, "3")] {
      graph.advance(to: time)
      try graph.send(value, to: "in")
    }
    graph.jump(to: 1)
    #expect(graph.said(by: "a", "b") == ["a#1 1", "b#1 1", "a#2 2", "b#2 2", "a#3 3", "b#3 3"])
  }

  @Test func `a silence that was put off ends at its own time`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        x: {from: in, pipe: [{timeout: {gap: 300ms}}]}
        y: {from: in, pipe: [{delay: 290ms}]}
        """)
    for (time, value) in [(0, "1"), (0.1, "2")] {
      graph.advance(to: time)
      try graph.send(value, to: "in")
    }
    graph.jump(to: 1)
    #expect(graph.said(by: "x", "y") == ["x#1 1", "x#2 2", "y#1 1", "y#2 2", "x failed timeout"])
  }

  @Test func `as many as a thousand late values of one operator are not taken for a circle`() throws {
    let graph = try TestGraph(signals: "in: {input: {}}\nx: {from: in, pipe: [{delay: 1m}]}")
    for index in 0..<1500 {
      graph.advance(to: Double(index) / 100)
      try graph.send("\(index)", to: "in")
    }
    graph.jump(to: 1000)
    #expect(graph.signal("x").sequence == 1500)
    #expect(graph.runtime.nextDeadline == nil)
  }

  /// `LATE_GRAPHS` is the number of additional ones, and `LATE_FROM` the first of them.
  @Test(arguments: RandomSeeds.first(30, further: "LATE_GRAPHS", from: "LATE_FROM"), [false, true])
  func `a random graph emits the same in the same order, however late its timers are`(seed: Int, restarts: Bool) throws
  {
    let story = LateStory(seed: seed)
    let (inTime, late) = (
      try TestGraph(signals: story.signals, restarts: false), try TestGraph(signals: story.signals, restarts: restarts)
    )
    for graph in [inTime, late] {
      for (time, value) in story.values {
        graph.move(to: time)
        try graph.send(value, to: "in")
      }
    }
    inTime.advance(to: 60)
    late.jump(to: 60)
    let (expected, said) = (inTime.said(), late.said())
    #expect(expected.count > story.values.count)
    #expect(said == expected, "\(story.signals)")
  }
}

/// Operators with timers at any depth, without timers that start others, and values that precede any due time: not more
/// of them than `flat_map` runs at the same time, since a waiting one begins in its turn.
private struct LateStory {
  private(set) var signals = "in: {input: {}}\n"
  private(set) var values: [(time: Double, value: String)] = []
  private var random: SplitMix

  init(seed: Int) {
    random = SplitMix(seed: UInt64(seed))
    let count = Int.random(in: 2...5, using: &random)
    for index in 0..<count {
      signals += "s\(index): {from: in, pipe: [\(step(depth: 0)), {map: '[\(index), .]'}]}\n"
    }
    let names = (0..<count).map { "s\($0)" }.joined(separator: ", ")
    signals += "all: {merge: [\(names)], pipe: [{scan: {initial: 0, next: '($state * 7 + .[0]) % 1000'}}]}\n"
    let cases = "{1: {timer: \(duration())}, 2: {timer: \(duration())}}"
    signals += "chosen: {switch: {on: in, cases: \(cases), unmatched: ignore}}\n"
    signals += "first: {race: [{timer: \(duration())}, {from: s0}, {from: s1}]}\n"
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      values.append((Double(Int.random(in: 0...18, using: &random)) / 20, "\(Int.random(in: 1...3, using: &random))"))
    }
    values.sort { $0.time < $1.time }
  }

  private mutating func duration() -> String { "\(Int.random(in: 20...60, using: &random) * 50)ms" }

  private mutating func step(depth: Int) -> String {
    guard depth < 3, Bool.random(using: &random) else { return timed() }
    let inner = step(depth: depth + 1)
    return [
      "{group_by: {key: ., max_keys: 9, pipe: [\(inner)]}}",
      "{group_by: {key: '. % 2', max_keys: 9, pipe: [\(inner)]}}",
      "{flat_map: {merge: {value: 1, pipe: [{map: $value}, {concat: {never: true}}, \(inner)]}}}",
      "{flat_map: {latest: {value: 1, pipe: [{map: $value}, {concat: {never: true}}, \(inner)]}}}",
      "{catch: {value: 9}}, \(inner)", "{expand: {next: 'empty', limit: 2}}, \(inner)",
    ].randomElement(using: &random) ?? inner
  }

  private mutating func timed() -> String {
    let time = duration()
    return [
      "{debounce: \(time)}", "{delay: \(time)}", "{audit: \(time)}", "{buffer: {time: \(time)}}",
      "{delay_when: {timer: \(time)}}", "{flat_map: {merge: {timer: \(time), pipe: [{map: $value}]}}}",
      "{flat_map: {latest: {timer: \(time), pipe: [{map: $value}]}}}",
      "{group_by: {key: ., idle: \(time), pipe: [collect]}}",
      "{timeout: {gap: \(time), fallback: {value: 7}}}", "{take_for: \(time)}, collect",
      "{delay_when: {if: {condition: {value: true}, then: {timer: \(time)}, else: {never: true}}}}",
      "{throttle: {interval: \(time), leading: false}}",
    ].randomElement(using: &random) ?? ""
  }
}
