import GraphStories
import JSON
import ReactiveCore
import SignalGraph
import TestSupport
import Testing

/// A state that is damaged is refused or, where nobody can tell, gone on from; it never brings the daemon down.
@Suite struct StateDamageTests {
  @Test(arguments: 1...16) func `a bit that was flipped is found, or does no harm`(seed: Int) throws {
    let graph = try Self.graph(seed)
    var random = SplitMix(seed: UInt64(seed))
    let state = graph.state
    for _ in 0..<60 {
      var damaged = state
      damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      _ = graph.canGoOn(from: damaged)
    }
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

  @Test(arguments: ["", " 1", "1 ", "{\"a\":", "tru", "1.", "\u{1}", "[1]]", "1 2"])
  func `a text that is no JSON value is refused`(text: String) {
    var writer = StateWriter()
    writer.byte(0)
    writer.byte(0)
    writer.blob(Array(text.utf8))
    #expect(throws: StateError.self) { try Self.payload(writer.bytes) }
  }

  @Test(arguments: [#"{ "a": 1.0, "b" :[2]}"#, "1.50", "\"x\"", "[1, 2]", "-0", "1e40"])
  func `a value comes back as it was, by itself and within another one`(text: String) throws {
    let payload = Payload.received(text)
    for payload in [payload, .value(payload.value), .value(.array([payload.value]))] {
      var writer = StateWriter()
      payload.store(in: &writer)
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
    var reader = StateReader(bytes)
    return try Payload(from: &reader)
  }
}
