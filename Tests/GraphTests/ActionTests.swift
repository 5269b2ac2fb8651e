import GraphStories
import GraphTools
import JSON
import Signals
import Testing

@testable import GraphEngine
@testable import GraphModel

/// Actions whose programs are controlled by the test.
@Suite struct `Actions of a graph` {
  private static func graph(_ action: String, signals: String = "in: {input: {}}") throws -> TestGraph {
    TestGraph(try configuration(action, signals: signals))
  }

  private static func configuration(_ action: String, signals: String = "in: {input: {}}") throws -> Configuration {
    try TestGraph.configuration(
      "signalbox: 1\ngraphs: {g: {signals: {\(signals)}, actions: {fan: {\(action)}}}}\n")
  }

  /// A caller, and its received outputs.
  private final class Caller {
    private(set) var told: [String] = []
    private var run: (any Disposable)?

    func call(_ graph: TestGraph, _ value: JSONValue? = nil) throws {
      let action = try #require(graph.runtime.actions["g.fan"])
      run = try action.call(value.map { .value($0) }) { [self] event in
        switch event {
        case .next(let value): told.append("\(value)")
        case .completed: told.append("completed")
        case .failed(let failure, let status): told.append("failed \(failure.message) \(status ?? -1)")
        case .timedOut: told.append("timed out")
        }
      }
    }

    func cancel() { run?.dispose() }

    func forget() { run = nil }
  }

  @Test func `a call runs the program with the value on its input, and each line is an output`() throws {
    let graph = try Self.graph("exec: [/bin/fan, -x], format: json")
    #expect(graph.said() == ["executing#1 false", "enabled#1 true"])
    let caller = Caller()
    try caller.call(graph, ["speed": 2])
    let run = try #require(graph.programs.first)
    #expect(run.program.command == ["/bin/fan", "-x"])
    #expect(String(decoding: run.program.input, as: UTF8.self) == "{\"speed\":2}\n")
    #expect(run.program.owner == "g.fan")
    run.print("{\"ok\":true}\n7")
    run.end(.exited(0))
    #expect(caller.told == [#"{"ok":true}"#, "7", "completed"])
    #expect(
      graph.said() == [
        "executing#2 true", "enabled#2 false", #"values#1 {"ok":true}"#, "values#2 7", "executing#3 false",
        "enabled#3 true",
      ])
  }

  @Test(.inOneRuntime) func `calls are served one at a time`() throws {
    let graph = try Self.graph("exec: [fan]")
    let caller = Caller()
    try caller.call(graph)
    #expect(graph.programs[0].program.input == [])
    #expect(throws: CallRefusal.busy) { try Caller().call(graph) }
    graph.programs[0].end(.exited(0))
    try caller.call(graph)
    #expect(graph.programs.count == 2)
  }

  @Test func `calls that were encoded resume by the names of their actions`() throws {
    let names = "abcdefghijkl".map { "g.\($0)" }
    let actions = names.map { "\($0.dropFirst(2)): {exec: [fan]}" }.joined(separator: ", ")
    let graph = TestGraph(
      try TestGraph.configuration("signalbox: 1\ngraphs: {g: {actions: {\(actions)}}}\n"), restarts: true)
    let runtime = graph.runtime
    for name in names.reversed() { _ = try runtime.actions[name]?.call(nil) { _ in } }
    let started = graph.programs.count
    #expect(started == names.count)
    _ = graph.runtime
    #expect(graph.programs.dropFirst(started).map(\.program.owner) == names)
  }

  @Test(.inOneRuntime) func `an action is enabled while its condition is true`() throws {
    let graph = try Self.graph("exec: [fan], enabled_if: {from: hot, pipe: [map: . > 25]}", signals: "hot: {input: {}}")
    #expect(graph.said() == ["executing#1 false", "enabled#1 false"])
    #expect(throws: CallRefusal.disabled) { try Caller().call(graph) }
    for value in ["20", "30", "31"] { try graph.send(value, to: "hot") }
    #expect(graph.said(by: "enabled") == ["enabled#2 true"])
    try Caller().call(graph)
    try graph.send("20", to: "hot")
    graph.programs[0].end(.exited(0))
    #expect(graph.said(by: "enabled") == ["enabled#3 false"])
    #expect(throws: CallRefusal.disabled) { try Caller().call(graph) }
  }

  @Test func `a condition that holds from the start enables at the start`() throws {
    let graph = try Self.graph("exec: [fan], enabled_if: on", signals: "on: {property: {initial: true}}")
    #expect(graph.said(by: "executing", "enabled") == ["executing#1 false", "enabled#1 true"])
  }

  @Test(arguments: [
    (ProgramEnd.exited(3), #"{"code":"failed","message":"fan exited with status 3","status":3}"#, 3),
    (
      .notStarted("No such file or directory"),
      #"{"code":"failed","message":"cannot run fan: No such file or directory"}"#, -1
    ),
  ])
  func `a run that fails is an error`(end: ProgramEnd, error: String, status: Int) throws {
    let graph = try Self.graph("exec: [fan]")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.said()
    graph.programs[0].end(end)
    #expect(graph.said(by: "errors") == ["errors#1 \(error)"])
    #expect(caller.told.count == 1 && caller.told[0].hasSuffix(" \(status)"))
  }

  @Test(.inOneRuntime) func `a run that takes too long is ended, and the action is busy until it is gone`() throws {
    let graph = try Self.graph("exec: [fan], timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.said()
    graph.advance(to: 9)
    #expect(caller.told == [])
    graph.advance(to: 10)
    #expect(caller.told == ["timed out"])
    #expect(graph.programs[0].isTerminated)
    #expect(throws: CallRefusal.busy) { try Caller().call(graph) }
    graph.programs[0].print("late\n")
    graph.programs[0].end(.killed(15))
    #expect(caller.told == ["timed out"])
    #expect(
      graph.said() == [
        #"errors#1 {"code":"timeout","message":"no end within 10s"}"#, "executing#3 false", "enabled#3 true",
      ])
    try caller.call(graph)
    graph.programs[1].end(.exited(0))
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `a call that is cancelled ends the program without an error`() throws {
    let graph = try Self.graph("exec: [fan], timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    caller.cancel()
    #expect(graph.programs[0].isTerminated)
    graph.programs[0].print("late\n")
    graph.programs[0].end(.killed(15))
    #expect(caller.told == [])
    #expect(graph.said(by: "values", "errors") == [])
    #expect(graph.runtime.nextDeadline == nil)
    try caller.call(graph)
  }

  @Test(.inOneRuntime, arguments: [true, false]) func `nothing keeps a call that is over`(isCancelled: Bool) throws {
    let graph = try Self.graph("exec: [fan], timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    weak let call = (graph.runtime.actions["g.fan"] as? RunningAction)?.call
    #expect(call != nil)
    if isCancelled { caller.cancel() }
    caller.forget()
    graph.programs[0].end(.exited(0))
    #expect(call == nil)
  }

  @Test func `a line that is not JSON is refused, and the call continues`() throws {
    let graph = try Self.graph("exec: [fan], format: json")
    let caller = Caller()
    try caller.call(graph)
    graph.programs[0].print("oh\n1\n")
    #expect(caller.told == ["1"])
    #expect(graph.refusals.map(\.signal) == ["g.fan.values"])
    #expect(graph.signal("g.fan.values").losses.errors == 1)
  }

  @Test(.inOneRuntime) func `a running call finishes under the declaration that it was made by`() throws {
    let graph = try Self.graph("exec: [fan], timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.reload(try Self.configuration("exec: [other], timeout: 1s"))
    #expect(graph.said(by: "executing").last == "executing#3 true")
    graph.advance(to: 5)
    graph.programs[0].print("x\n")
    graph.programs[0].end(.exited(0))
    #expect(caller.told == [#""x""#, "completed"])
    try caller.call(graph)
    #expect(graph.programs[1].program.command == ["other"])
  }

  @Test(.inOneRuntime) func `a call outlives the removal of its action`() throws {
    let graph = try Self.graph("exec: [fan]")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.reload(try TestGraph.configuration(signals: "in: {input: {}}"))
    graph.programs[0].print("x\n")
    graph.programs[0].end(.exited(1))
    #expect(caller.told == [#""x""#, "failed fan exited with status 1 1"])
    #expect(graph.runtime.actions.isEmpty)
  }

  @Test(.inOneRuntime)
  func `an action that is removed and added again is busy until the program of before is gone`() throws {
    let graph = try Self.graph("exec: [fan]")
    let (caller, other) = (Caller(), Caller())
    try caller.call(graph)
    _ = graph.reload(try TestGraph.configuration(signals: "in: {input: {}}"))
    _ = graph.said()
    _ = graph.reload(try Self.configuration("exec: [other]"))
    #expect(graph.said(by: "executing", "enabled") == ["executing#3 true", "enabled#3 false"])
    #expect(throws: CallRefusal.busy) { try other.call(graph) }
    graph.programs[0].print("x\n")
    graph.programs[0].end(.exited(0))
    #expect(caller.told == [#""x""#, "completed"])
    #expect(graph.said() == [#"values#1 "x""#, "executing#4 false", "enabled#4 true"])
    try other.call(graph)
    #expect(graph.programs.map(\.program.command) == [["fan"], ["other"]])
  }

  @Test func `a run with a line that is no JSON fails when it is over, and names the first one`() throws {
    let graph = try Self.graph("exec: [fan], format: json")
    let caller = Caller()
    try caller.call(graph)
    graph.programs[0].print("1\n\noh\nno\n2\n")
    graph.programs[0].end(.exited(0))
    #expect(caller.told.prefix(2) == ["1", "2"])
    #expect(caller.told.last?.hasPrefix("failed line 3 of its output: invalid JSON line") == true)
    #expect(graph.said(by: "errors").count == 1)
    try caller.call(graph)
    graph.programs[1].print("oh\n")
    graph.programs[1].end(.exited(3))
    #expect(caller.told.last == "failed fan exited with status 3 3")
  }

  @Test func `other signals are computed from an action's`() throws {
    let graph = try Self.graph(
      "exec: [fan]", signals: "last: {from: fan.values, hold: true}, busy: {from: g.fan.executing}")
    try Caller().call(graph)
    graph.programs[0].print("x\n")
    #expect(graph.said(by: "last", "busy") == ["busy#1 false", "busy#2 true", #"last#1 "x""#])
  }

  @Test(arguments: [
    ("exec: []", "missing program: the list is empty"),
    (
      "exec: ls -l",
      "expected a program and its arguments, as a list, found \"ls -l\"; for a shell command, use [sh, -c, \"…\"]"
    ),
    ("exec: [bin/x]", "a program must be an absolute path, or a name without \"/\" that is searched in PATH"),
    ("timeout: 1s", "\"exec\", \"dbus\", \"http\" or \"adapter\" is missing here"),
    ("exec: [x], timeout: 0s", "must be at least 1ms"),
    ("exec: [x], enabled_if: nope", "no signal \"nope\" in graph \"g\""),
    ("exec: [x], when: y", "unknown key \"when\""),
    ("exec: [x], format: xml", "expected one of text, json, logfmt, csv, found \"xml\""),
    ("exec: [x], enabled_if: fan.enabled", "a signal cannot depend on itself"),
  ])
  func `an error in an action is reported in words that help`(action: String, message: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try Self.configuration(action) }
    guard case .invalid(let diagnostics)? = error else { return }
    #expect(diagnostics.list.count == 1)
    #expect(diagnostics.list.first?.message.hasPrefix(message) == true, "\(diagnostics.list)")
  }
}

/// Actions in tests of graphs, where their programs never run.
@Suite struct `Actions in tests` {
  private static func reports(_ script: String, action: String = "exec: [reboot]") throws -> [String] {
    let steps = script.split(separator: "\n").map { "\n            \($0)" }.joined()
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            on: {property: {initial: true}}
            last: {from: fan.values}
          actions:
            fan: {\(action)}
          tests:
          - script:\(steps)

      """)
    var reports: [String] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { if !$0.hasPassed { reports.append($0.report) } }
    return reports
  }

  @Test func `a script calls, and emits what the program would`() throws {
    let script = """
      - {at: 0s, expect: {fan.executing: false}}
      - {at: 1s, call: {fan: {speed: 2}}}
      - {at: 1s, expect: {fan.executing: true}}
      - {at: 2s, send: {fan: spinning}}
      - {at: 2s, expect: {last: spinning}}
      - {at: 3s, end: {fan: completed}}
      - {at: 3s, expect: {fan.executing: false}}
      - {at: 4s, call: {fan: 1}}
      - {at: 4s, expect: {fan.executing: true}}
      - {at: 5s, end: {fan: {failed: {code: x, message: stuck}}}}
      - {at: 5s, expect: {fan.executing: false}}
      - {at: 5s, expect: {fan.errors: {code: failed, message: stuck}}}
      """
    #expect(try Self.reports(script) == [])
  }

  @Test func `a call that nothing ends is timed out in virtual time`() throws {
    let script = """
      - {at: 0s, expect: {fan.enabled: true}}
      - {at: 1s, call: {fan: 1}}
      - {at: 1s, expect: {fan.enabled: false}}
      - {at: 1h1s, expect: {fan.errors: {code: timeout, message: no end within 1h}}}
      - {at: 1h1s, expect: {fan.enabled: true}}
      """
    #expect(try Self.reports(script, action: "exec: [x], timeout: 1h") == [])
  }

  @Test(arguments: [
    ("- {at: 1s, call: {fan: 1}}\n- {at: 2s, call: {fan: 2}}", "g.fan: at 2s: the action is already running"),
    ("- {at: 1s, send: {on: false}}\n- {at: 2s, call: {fan: 2}}", "g.fan: at 2s: the action is not enabled"),
    ("- {at: 1s, send: {fan: 1}}", "g.fan: at 1s: no running call of the action"),
  ])
  func `a call that is refused fails the test`(script: String, message: String) throws {
    let reports = try Self.reports(script, action: "exec: [x], enabled_if: on")
    #expect(reports.count == 1 && reports[0].contains(message), "\(reports)")
  }

  @Test func `a step before the timers of its instant is reported with a note that these run after it`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            a: {input: {}}
            told: {from: a, pipe: [{debounce: 3s}, {call: tell}]}
          actions:
            tell: {exec: [cat]}
          tests:
          - script:
            - {at: 0s, send: {a: 1}}
            - {at: 3s, expect: {call: {tell: 1}}}
            - {at: 3s, end: {tell: completed}}
          - script:
            - {at: 0s, send: {a: 1}}
            - {at: 2s, end: {tell: completed}}
            - {at: 3s, expect: {call: {tell: 1}}}

      """)
    var reports: [String] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { reports.append($0.report) }
    try #require(reports.count == 2)
    #expect(reports[0].contains("note: timers that are due at 3s run after the steps at 3s; move the step later"))
    #expect(reports[1].contains("no running call of the action") && !reports[1].contains("note: timers"))
  }

  @Test func `an action's signals may be given`() throws {
    let script = """
      - {at: 1s, send: {fan.values: 5}}
      - {at: 1s, expect: {last: 5}}
      - {at: 2s, end: {fan.values: completed}}
      - {at: 2s, expect_end: {last: completed}}
      """
    #expect(try Self.reports(script) == [])
  }

  @Test func `a missing action is an error`() throws {
    #expect(throws: ConfigurationError.self) { try Self.reports("- {at: 1s, call: {fna: 1}}") }
  }
}
