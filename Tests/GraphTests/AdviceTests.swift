import GraphModel
import Testing

/// Declarations that are valid, but probably unintended.
@Suite struct `Advice` {
  @Test(
    arguments: [
      ("filter: .a = 1", "1:34: '=' assigns; use '==' to compare"),
      ("filter: .b | .a |= 1", "1:34: '=' assigns; use '==' to compare"),
      ("take_while: .a += 1", "1:38: '=' assigns; use '==' to compare"),
      ("skip_until: {where: .a = 1}", "1:46: '=' assigns; use '==' to compare"),
      ("filter: .a == 1", nil),
      ("filter: (.a = 1) == .", nil),
      ("map: .a = 1", nil),
      ("filter: false", "1:34: filter: nothing passes"),
      ("filter: null", "1:34: filter: nothing passes"),
      ("filter: true", "1:34: filter: everything passes"),
      ("filter: 0", "1:34: filter: everything passes"),
      ("map_to: .a", "1:34: map_to: this emits the string .a; to emit a member, write map: .a"),
      ("map_to: .", nil), ("map_to: ...", nil),
      ("map_to: {a: .a}", nil),
    ] as [(String, String?)]) func `on an operator is a warning with its place`(step: String, warning: String?) throws
  {
    #expect(try warnings("x: {never: true, pipe: [{\(step)}]}") == [warning].compactMap(\.self))
  }

  @Test(arguments: [
    ("", true), (", default: {never: true}", false), (", unmatched: ignore", false), (", unmatched: fail", false),
  ]) func `on a switch without a default is a warning unless it declares what then`(rest: String, isWarned: Bool) throws
  {
    let found = try warnings("x: {switch: {on: {never: true}, cases: {a: {never: true}}\(rest)}}")
    #expect(
      found
        == (isWarned
          ? ["1:13: switch: a value without a case fails the signal; add default, or set unmatched"] : []))
  }

  @Test(arguments: [
    ("subject: 'a.*'", true), ("subject: a, queue: q", true), ("stream: S, consumer: C", false),
    ("stream: S, consumer: C, subject: a", false),
  ]) func `on a subject of NATS without a stream is a warning`(parameters: String, isWarned: Bool) throws {
    let text = """
      signalbox: 1
      server: {connections: {fleet: {nats: 'nats://a'}}}
      graphs: {g: {signals: {x: {nats: {connection: fleet, \(parameters)}}}}}
      """
    let found = try TestGraph.configuration(text).warnings.warnings.map(\.message)
    let warning =
      "nats: a subject without a stream is delivered at most once; give stream and consumer to lose no message"
    #expect(found == (isWarned ? [warning] : []))
  }

  @Test(
    arguments: [
      ("skip_repeats: .a", "skip_repeats takes its parameters by name, in braces: by", "{by: .a}"),
      ("unique: .a", "unique takes its parameters by name, in braces: by, max_keys, idle, overflow", "{by: .a}"),
      ("skip_repeats: true", "skip_repeats takes its parameters by name, in braces: by", nil),
      ("sample: 5s", "sample takes its parameters by name, in braces: on, every, repeat, with_value", "{every: 5s}"),
      (
        "window: 5s",
        "window takes its parameters by name, in braces: count, time, every, timezone, partial, emit, "
          + "timestamp, lateness, limit, overflow", "{time: 5s}"
      ),
      ("take_until: 5s", "take_until takes its parameters by name, in braces: where, signal", nil),
      ("skip_repeats: '[.a, .b]'", "skip_repeats takes its parameters by name, in braces: by", nil),
    ] as [(String, String, String?)]) func `shows the braces that are missing`(
      step: String, message: String, suggestion: String?
    ) throws
  {
    let found = try #require(refusals("x: {never: true, pipe: [{\(step)}]}").first)
    #expect(found.message == message && found.suggestion == suggestion)
  }

  @Test(arguments: ["pipe: [{send_to: act}]", "pipe: [{merge: act}]", "pipe: [{send_to: g.act}]"])
  func `reports that an action is not a signal`(pipe: String) throws {
    let text = """
      signalbox: 1
      graphs:
        g:
          signals: {x: {input: {}, \(pipe)}}
          actions: {act: {exec: [x]}}
      """
    do {
      _ = try TestGraph.configuration(text)
      Issue.record("it was accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(
        diagnostics.list.map(\.message) == [
          "\"act\" is an action, not a signal: call it with call: act in a pipe; its signals are act.values, act.errors, act.executing, act.enabled"
        ])
    }
  }

  @Test(arguments: [
    ("{true: {value: 1}, false: {value: 2}}", true), ("{'false': {value: 2}, 'true': {value: 1}, x: {value: 3}}", true),
    ("{true: {value: 1}}", false), ("{on: {value: 1}, off: {value: 2}}", false),
  ])
  func `warns of a switch without a default, unless it has both cases of a boolean`(cases: String, isWhole: Bool) throws
  {
    #expect(try warnings("x: {switch: {on: {value: true}, cases: \(cases)}}").isEmpty == isWhole)
  }

  /// Returns the warnings with their places in the line of the signal.
  private func warnings(_ signal: String) throws -> [String] {
    try TestGraph.configuration(signals: signal).warnings.list.map {
      "1:\($0.place.column - 6): \($0.message)"
    }
  }

  private func refusals(_ signal: String) throws -> [Diagnostic] {
    do {
      _ = try TestGraph.configuration(signals: signal)
      return []
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list
    }
  }
}
