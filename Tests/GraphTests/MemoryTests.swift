import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// The operators and sources with a memory that a state must contain.
///
/// Each is run with restarts, once with its memory and once without: one with a memory must then behave differently. A
/// new one that is not listed here, or whose example ends before its memory matters, fails.
@Suite struct MemoryTests {
  private static let operators: Set = [
    "scan", "scan_map", "reduce", "count", "min", "max", "sum", "average", "pairwise", "enumerate", "time_interval",
    "skip_repeats", "unique", "take", "take_for", "take_last", "take_until_replacement", "skip", "skip_for",
    "skip_last",
    "skip_while", "skip_until", "last", "single", "element_at", "sequence_equal", "default_if_empty", "switch_if_empty",
    "fail_if_empty", "debounce", "throttle", "audit", "sample", "delay", "delay_when", "delay_start", "timeout",
    "buffer",
    "collect", "window", "merge", "concat", "then", "race", "with_latest", "flat_map", "group_by", "catch",
    "on_error_resume_next", "retry", "repeat", "call",
  ]

  /// In place of examples that emit everything at once.
  private static let longer = [
    "default_if_empty": OperatorExample("default_if_empty: 7", in: "1-|", out: "1-|"),
    "fail_if_empty": OperatorExample("fail_if_empty", in: "1-|", out: "1-|"),
    "switch_if_empty": OperatorExample("switch_if_empty: {interval: 1s}", in: "|", out: "-01"),
    "then": OperatorExample("then: {interval: 1s}", in: "|", out: "-01"),
    "catch": OperatorExample("catch: {interval: 1s}", in: "#", out: "-01"),
    "on_error_resume_next": OperatorExample("on_error_resume_next: {interval: 1s}", in: "#", out: "-01"),
  ]

  @Test(arguments: Catalogue.operators.map(\.name))
  func `an operator that remembers something needs it to resume`(name: String) throws {
    let example = try Self.longer[name] ?? #require(Catalogue.operator(named: name)).example
    let straight = try ExampleRun(example, restarts: false).drawn
    #expect(try ExampleRun(example, restarts: true).drawn == straight)
    let forgetful = try ExampleRun(example, restarts: true, isForgetful: true).drawn
    #expect((forgetful != straight) == Self.operators.contains(name), "\(name): \(straight) \(forgetful)")
  }

  /// A signal of each source but those of the outside world, and `true` if it has a memory.
  private static let sources: [String: (signal: String, remembers: Bool)] = [
    "input": ("input: {endable: true}", false), "property": ("property: {initial: 1}", false),
    "from": ("from: a", false), "value": ("value: 1", false), "values": ("values: [1, 2]", false),
    "empty": ("empty: true", false), "never": ("never: true", false), "fail": ("fail: {code: x}", false),
    "range": ("range: {start: 1, count: 2}", false), "interval": ("interval: 1s", true),
    "timer": ("timer: {after: 1s, every: 2s}", true), "at": ("at: '*:*:*'", true), "merge": ("merge: [a, b]", true),
    "concat": ("concat: [a, b]", true),
    "zip": ("zip: [a, b]", true), "combine": ("combine: [a, b]", true), "combine_last": ("combine_last: [a, b]", true),
    "race": ("race: [a, b]", true), "tuple": ("tuple: {x: a, y: b}", true),
    "switch": ("switch: {on: a, cases: {'1': b, '2': a}}", true),
    "if": ("if: {condition: {from: a, pipe: [{map: '. == 1'}]}, then: b, else: a}", true),
    "marble": ("marble: {diagram: '1-2-|'}", true),
  ]

  @Test(
    arguments: Catalogue.sources.map(\.name).filter {
      !["exec", "tail", "file", "watch", "journal", "dbus", "unit", "http", "mqtt", "nats", "adapter"].contains($0)
    })
  func `a source that remembers something needs it to resume`(name: String) throws {
    let source = try #require(Self.sources[name])
    let straight = try Self.story(of: source.signal, restarts: false)
    #expect(try Self.story(of: source.signal, restarts: true) == straight)
    let forgetful = try Self.story(of: source.signal, restarts: true, isForgetful: true)
    #expect((forgetful != straight) == source.remembers, "\(name): \(straight) \(forgetful)")
  }

  /// Returns all events of a signal while two others emit and end.
  private static func story(of signal: String, restarts: Bool, isForgetful: Bool = false) throws -> [String] {
    let graph = try TestGraph(
      signals: "a: {input: {endable: true}}\nb: {input: {endable: true}}\nx: {\(signal)}", restarts: restarts,
      discarding: { isForgetful && $0.name == "g.x" })
    for (second, (name, value)) in [("a", "1"), ("b", "2"), ("a", "2"), ("b", "1"), ("b", "2")].enumerated() {
      graph.advance(to: Double(second))
      try graph.send(value, to: name)
    }
    for name in ["a", "b"] { try graph.runtime.end(graph.signal(name), with: .completed) }
    graph.advance(to: 6)
    return graph.said(by: "x")
  }
}
