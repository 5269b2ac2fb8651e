import GraphEngine
import GraphStories
import JSON
import Signals
import TestSupport
import Testing

/// A damaged state is refused or, where it cannot be detected, resumed; it never crashes the daemon.
@Suite struct StateDamageTests {
  @Test(arguments: 1...16) func `a bit that was flipped crashes nothing, and is found in many places`(seed: Int) throws
  {
    let graph = try Self.graph(seed)
    var random = SplitMix(seed: UInt64(seed))
    let state = graph.state
    var refusals = 0
    for _ in 0..<60 {
      var damaged = state
      damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      if !graph.canGoOn(from: damaged) { refusals += 1 }
    }
    #expect(refusals > 15)
  }

  @Test(arguments: 1...16) func `a state that was cut off is refused, and so is one that something follows`(
    seed: Int
  ) throws {
    let graph = try Self.graph(seed)
    var random = SplitMix(seed: UInt64(seed))
    let state = graph.state
    #expect(graph.canGoOn(from: state))
    #expect(!graph.canGoOn(from: state + [0]))
    for _ in 0..<20 {
      #expect(!graph.canGoOn(from: Array(state.prefix(Int.random(in: state.indices, using: &random)))))
    }
  }

  /// A random graph in the middle of its story.
  private static func graph(_ seed: Int) throws -> OracleGraph {
    let story = RandomDeclarations(seed: seed).story
    let graph = try OracleGraph(story.configuration, restarts: true)
    for step in story.steps.prefix(story.steps.count / 2) { try graph.carryOut(step) }
    return graph
  }

  @Test(arguments: ["map: .", "buffer: {count: 2}", "debounce: 1s"])
  func `a signal whose state does not fit restarts with what is computed from it, and all others continue`(
    step: String
  ) throws {
    func graph(_ step: String, isResuming: Bool = false) throws -> GraphRuntime {
      let configuration = try TestGraph.configuration(
        signals: """
          in: {input: {}}
          sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
          other: {from: in, pipe: [{\(step)}], replay: 9}
          behind: {from: other, pipe: [collect: ], replay: 9}
          beside: {merge: [in, other], pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
          """)
      return GraphRuntime(
        configuration, world: SilentWorld(), now: Instant(nanoseconds: 0), wallOffset: 0, keepsState: true,
        isResuming: isResuming)
    }
    func last(_ name: String, of graph: GraphRuntime) -> JSONValue? {
      graph.signal(named: "g.\(name)")?.retained.last?.payload.value
    }
    let before = try graph("scan: {initial: 0, next: $state + 1}")
    before.start()
    try before.send(.value(.number(4)), to: try #require(before.signal(named: "g.in")))
    let state = before.state()
    #expect(throws: StateError.self) { try graph(step, isResuming: true).resume(state) {} }
    let after = try graph(step, isResuming: true)
    let mismatches = try after.resumeWhatFits(state) {}
    #expect(mismatches.map(\.signal) == ["g.other"])
    try after.send(.value(.number(5)), to: try #require(after.signal(named: "g.in")))
    #expect(last("sum", of: after) == 9)
    after.advance(to: Instant(nanoseconds: 2_000_000_000))
    #expect(after.signal(named: "g.other")?.ending == nil && last("beside", of: after) != nil)
    // It started without values, and its dependent receives its events.
    let heard = after.signal(named: "g.other")?.sequence ?? 0
    #expect(heard == (step.hasPrefix("buffer") ? 1 : 2))
    #expect(last("beside", of: after) == .number(step.hasPrefix("buffer") ? 1 : 2))
    let restored = try graph(step, isResuming: true)
    try restored.resume(after.state()) {}
  }

  @Test(arguments: ["", " 1", "1 ", "{\"a\":", "tru", "1.", "\u{1}", "[1]]", "1 2"])
  func `a text that is no JSON value is refused`(text: String) {
    var writer = StateEncoder()
    writer.byte(0)
    writer.byte(0)
    writer.blob(Array(text.utf8))
    #expect(throws: StateError.self) { try Self.payload(writer.bytes) }
  }

  @Test(arguments: [#"{ "a": 1.0, "b" :[2]}"#, "1.50", "\"x\"", "[1, 2]", "-0", "1e40"])
  func `a value comes back as it was, by itself and within another one`(text: String) throws {
    let payload = Payload.received(text)
    for payload in [payload, .value(payload.value), .value(.array([payload.value]))] {
      var writer = StateEncoder()
      payload.encode(to: &writer)
      #expect(try Self.payload(writer.bytes).json == payload.json)
    }
  }

  @Test func `a value that is nested too deeply is refused`() {
    // A list of one list of one list …
    let nested = [UInt8](repeating: 0, count: 200_000).indices.map { UInt8($0 % 2 == 0 ? 4 : 1) }
    #expect(throws: StateError.self) { try Self.payload([1] + nested) }
  }

  @Test func `a count that is larger than what follows is refused before anything is set aside for it`() {
    #expect(throws: StateError.self) { try Self.payload([1, 4, 0xff, 0xff, 0xff, 0xff, 0x0f]) }
  }

  private static func payload(_ bytes: [UInt8]) throws -> Payload {
    var reader = StateDecoder(bytes)
    return try Payload(from: &reader)
  }
}
