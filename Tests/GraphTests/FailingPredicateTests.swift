import GraphEngine
import GraphModel
import Signals
import Testing

/// A value on which a predicate fails is as if it had never arrived: only its error is reported.
@Suite struct `Predicates that fail` {
  private static let one = #"{"x":1}"#
  private static let two = #"{"x":2}"#
  private static let four = #"{"x":4}"#

  /// Operators, and what they make of 1, 2, 4 and 1 as `.x`, between which there are values without an `.x`.
  @Test(
    arguments: ["drop", "emit"],
    [
      ("{filter: .x < 3}", [one, two, one]), ("{take_while: .x < 3}", [one, two]),
      ("{take_while: {where: .x < 3, inclusive: true}}", [one, two, four]),
      ("{skip_while: .x < 3}", [four, one]), ("{skip_while: {where: .x < 3, inclusive: true}}", [one]),
      ("{take_until: {where: .x > 3}}", [one, two]), ("{skip_until: {where: .x > 3}}", [four, one]),
      ("{first: .x > 3}", [four]), ("{any: .x > 3}", ["true"]), ("{all: .x < 5}", ["true"]),
      ("{buffer: {until: map(.x) | add > 2}}", ["[\(one),\(two)]", "[\(four)]", "[\(one)]"]),
      ("{buffer: {while: map(.x) | add < 4}}", ["[\(one),\(two)]", "[\(four)]", "[\(one)]"]),
      ("{buffer: {until: map(.x) | add > 9, limit: 2, overflow: drop_oldest}}", ["[\(four),\(one)]"]),
    ])
  func `leave their operator as it was, and its value out`(policy: String, step: (text: String, values: [String]))
    throws
  {
    let graph = try TestGraph(
      signals: "a: {input: {endable: true}}\nx: {from: a, pipe: [\(step.text)], on_error: \(policy)}")
    for value in [Self.one, "7", Self.two, "8", Self.four, Self.one] { try graph.send(value, to: "a") }
    try graph.runtime.end(graph.signal("a"), with: .completed)
    let events = graph.outcomes(of: "x")
    let values = events.compactMap { event -> String? in
      if case .next(let payload, _) = event { "\(payload)" } else { nil }
    }
    let errors = values.filter { $0.hasPrefix(#"{"error""#) }
    #expect(values.filter { !$0.hasPrefix(#"{"error""#) } == step.values)
    #expect(errors.count == (policy == "emit" ? 2 : 0))
    #expect(graph.signal("x").losses.errors == 2)
    #expect(graph.signal("x").losses.dropped == (step.text.contains("drop_oldest") ? 2 : 0))
    let hasCompleted = if case .ended(.completed)? = events.last { true } else { false }
    #expect(hasCompleted)
  }

  @Test(arguments: ["take_while: .x < 3", "skip_while: .x > 3", "all: .x < 3", "buffer: {while: map(.x) | add < 4}"])
  func `fail the signal where it says so`(step: String) throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nx: {from: a, pipe: [{\(step)}], on_error: fail}")
    try graph.send("7", to: "a")
    #expect(graph.said(by: "x") == ["x failed bad_value"])
  }

  /// State logs of these rules are replayed so.
  @Test(arguments: [
    ("take_while: .x < 3", ["x completed"]), ("skip_while: .x > 3", ["x#1 7"]),
    ("take_until: {where: .x < 3}", ["x#1 7"]),
    ("all: .x < 3", ["x#1 false", "x completed"]),
  ])
  func `were false under earlier rules`(step: String, expected: [String]) throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nx: {from: a, pipe: [{\(step)}]}", restarts: false)
    graph.runtime.rules = .second
    try graph.send("7", to: "a")
    #expect(graph.said(by: "x") == expected)
  }
}
