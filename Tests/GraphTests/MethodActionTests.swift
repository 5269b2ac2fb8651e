import GraphStories
import GraphTools
import JSON
import Signals
import Testing

@testable import GraphEngine
@testable import GraphModel

/// Actions that call a method on a bus, with a service controlled by the test.
@Suite struct `Actions that call a method` {
  private static let place = "name: org.a.B, path: /a, interface: org.a.I, method: M"

  private static func graph(
    _ parameters: String, beside: String = "", signals: String = "in: {input: {}}"
  ) throws -> TestGraph {
    TestGraph(try configuration(parameters, beside: beside, signals: signals))
  }

  private static func configuration(
    _ parameters: String, beside: String = "", signals: String = "in: {input: {}}"
  ) throws -> Configuration {
    try TestGraph.configuration(
      "signalbox: 1\ngraphs: {g: {signals: {\(signals)}, actions: {m: {dbus: {\(place)\(parameters)}\(beside)}}}}\n")
  }

  /// A caller, and its received outputs.
  private final class Caller {
    private(set) var told: [String] = []
    private var run: (any Disposable)?

    func call(_ graph: TestGraph, _ value: JSONValue? = nil) throws {
      let action = try #require(graph.runtime.actions["g.m"])
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

  @Test(
    .inOneRuntime,
    arguments: [
      ([], []), ([5], ["5"]), ([1, "a"], [#"[1,"a"]"#]), ([[1, 2]], ["[1,2]"]),
    ] as [([JSONValue], [String])])
  func `a call calls the method, and what it returns is the output`(returned: [JSONValue], told: [String]) throws {
    let graph = try Self.graph(", signature: b, activate: true, bytes: text")
    #expect(graph.said() == ["executing#1 false", "enabled#1 true"])
    let caller = Caller()
    try caller.call(graph, true)
    let question = try #require(graph.played.questions.first)
    #expect(question.text == "M [true]")
    #expect(
      question.method
        == BusMethod(
          of: BusObject(bus: .system, name: "org.a.B", path: "/a"), interface: "org.a.I", member: "M", signature: "b",
          activates: true, bytes: .text, owner: "g.m"))
    #expect(graph.said() == ["executing#2 true", "enabled#2 false"])
    question.answer(.returned(returned))
    #expect(caller.told == told + ["completed"])
    #expect(
      graph.said() == told.map { "values#1 \($0)" } + ["executing#3 false", "enabled#3 true"])
  }

  @Test(
    arguments: [
      ("", nil, "M []"), ("", 5, "M []"), (", signature: s", "a", #"M ["a"]"#), (", signature: s", nil, "M [null]"),
      (", signature: as", ["a"], #"M [["a"]]"#), (", signature: su", ["a", 1], #"M ["a",1]"#),
      (", signature: ss, with: '[$signal, .]'", "a", #"M ["g.m","a"]"#),
      (", signature: b, with: '[true]'", nil, "M [true]"),
      (", signature: u, with: '[.n * 2]'", ["n": 2], "M [4]"),
    ] as [(String, JSONValue?, String)])
  func `the value of the call makes the arguments`(parameters: String, value: JSONValue?, text: String) throws {
    let graph = try Self.graph(parameters)
    try Caller().call(graph, value)
    #expect(graph.played.questions.map(\.text) == [text])
  }

  @Test(
    arguments: [
      (", signature: su", "a", "M takes a list of 2 arguments"),
      (", signature: su", ["a"], "M takes 2 arguments, not 1"),
      (", signature: s, with: .", "a", "M takes a list of 1 argument"),
      (", signature: s, with: '[., .]'", "a", "M takes 1 argument, not 2"),
      (", signature: s, with: empty", "a", "M takes a list of 1 argument"),
      (", signature: s, with: '[.a.b]'", "a", "with: "),
    ] as [(String, JSONValue, String)])
  func `arguments that cannot be are a failure, and no service is called`(
    parameters: String, value: JSONValue, message: String
  ) throws {
    let graph = try Self.graph(parameters)
    let caller = Caller()
    try caller.call(graph, value)
    #expect(caller.told == [])
    graph.advance(to: 0)
    #expect(caller.told.count == (TestGraph.restartsByDefault ? 0 : 1))
    let errors = graph.said(by: "errors")
    #expect(errors.count == 1 && errors[0].hasPrefix(#"errors#1 {"code":"failed","message":"\#(message)"#), "\(errors)")
    #expect(graph.played.questions.isEmpty)
    try caller.call(graph, value)
  }

  @Test(.inOneRuntime) func `a service that refuses is an error with its message`() throws {
    let graph = try Self.graph("")
    let caller = Caller()
    try caller.call(graph)
    #expect(throws: CallRefusal.busy) { try Caller().call(graph) }
    _ = graph.said()
    graph.played.questions[0].answer(.failed(SignalFailure(code: "gone", message: "nobody owns org.a.B")))
    #expect(caller.told == ["failed nobody owns org.a.B -1"])
    #expect(graph.said(by: "errors") == [#"errors#1 {"code":"failed","message":"nobody owns org.a.B"}"#])
    try caller.call(graph)
  }

  @Test(.inOneRuntime) func `a call that takes too long is over, and its answer is ignored`() throws {
    let graph = try Self.graph("", beside: ", timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.said()
    graph.advance(to: 10)
    #expect(caller.told == ["timed out"])
    #expect(graph.played.questions[0].isWithdrawn)
    graph.played.questions[0].answer(.returned([1]))
    #expect(
      graph.said() == [
        #"errors#1 {"code":"timeout","message":"no end within 10s"}"#, "executing#3 false", "enabled#3 true",
      ])
    try caller.call(graph)
    graph.played.questions[1].answer(.returned([1]))
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test(.inOneRuntime, arguments: [true, false]) func `nothing keeps a call that is over`(isCancelled: Bool) throws {
    let graph = try Self.graph("", beside: ", timeout: 10s")
    let caller = Caller()
    try caller.call(graph)
    weak let call = (graph.runtime.actions["g.m"] as? RunningAction)?.call
    #expect(call != nil)
    if isCancelled { caller.cancel() } else { graph.played.questions[0].answer(.returned([])) }
    caller.forget()
    graph.played.forget()
    #expect(call == nil)
    #expect(caller.told == (isCancelled ? [] : ["completed"]))
    #expect(graph.said(by: "values", "errors") == [])
  }

  @Test(.inOneRuntime) func `it is called while its condition holds, and outlives a reload`() throws {
    let graph = try Self.graph("", beside: ", enabled_if: on", signals: "on: {property: {initial: false}}")
    #expect(throws: CallRefusal.disabled) { try Caller().call(graph) }
    try graph.send("true", to: "on")
    let caller = Caller()
    try caller.call(graph)
    _ = graph.reload(try Self.configuration(", signature: s", signals: "on: {property: {initial: false}}"))
    graph.played.questions[0].answer(.returned(["x"]))
    #expect(caller.told == [#""x""#, "completed"])
    try caller.call(graph, "y")
    #expect(graph.played.questions[1].text == #"M ["y"]"#)
  }

  @Test func `a call that was encoded is made again with the same arguments`() throws {
    let graph = TestGraph(try Self.configuration(", signature: s"), restarts: true)
    try Caller().call(graph, "a")
    _ = graph.runtime
    #expect(graph.played.questions.map(\.text) == [#"M ["a"]"#, #"M ["a"]"#])
    graph.played.questions[1].answer(.returned([7]))
    #expect(graph.said(by: "values") == ["values#1 7"])
  }

  @Test func `in a test a script answers in the place of the service`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          actions:
            m: {dbus: {\(Self.place), signature: s}}
          tests:
          - script:
            - {at: 1s, call: {m: x}}
            - {at: 2s, send: {m: 5}}
            - {at: 2s, expect: {m.values: 5}}
            - {at: 3s, end: {m: {failed: {code: gone, message: away}}}}
            - {at: 3s, expect: {m.errors: {code: failed, message: away}}}
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    #expect(outcomes.map(\.hasPassed) == [true], "\(outcomes.map(\.report))")
  }

  @Test(arguments: [
    ("dbus: {\(place)}, exec: [x]", "an action has one task: \"exec\", \"dbus\", \"http\" or \"adapter\""),
    ("dbus: {\(place)}, format: json", "format is that of lines, and a method returns values"),
    ("dbus: {name: org.a.B, path: /a, interface: org.a.I}", "dbus needs \"method\", the name of a member"),
    ("dbus: {\(place), signature: z}", "\"z\" is not a D-Bus signature"),
    ("dbus: {\(place), signature: h}", "a file descriptor (h) cannot be sent as a value"),
    ("dbus: {\(place), wiht: .}", "unknown parameter of dbus \"wiht\""),
    ("dbus: {\(place), with: '['}", ""), ("timeout: 1s", "\"exec\", \"dbus\", \"http\" or \"adapter\" is missing here"),
  ])
  func `an error is reported in words that help`(action: String, message: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try TestGraph.configuration("signalbox: 1\ngraphs: {g: {actions: {m: {\(action)}}}}\n")
    }
    guard case .invalid(let diagnostics)? = error else { return }
    #expect(diagnostics.list.count == 1)
    #expect(diagnostics.list.first?.message.hasPrefix(message) == true, "\(diagnostics.list)")
  }
}
