import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

/// Actions called by pipes, whose programs are controlled by the test.
@Suite struct `Calls of pipes` {
  private static func graph(
    _ call: String, action: String = "exec: [notify]", signals: String = "", traits: String = ""
  ) throws -> TestGraph {
    TestGraph(try configuration(call, action: action, signals: signals, traits: traits))
  }

  private static func configuration(
    _ call: String, action: String = "exec: [notify]", signals: String = "", traits: String = ""
  ) throws -> Configuration {
    try TestGraph.configuration(
      signals: "in: {input: {endable: true}}\n\(signals)\nout: {from: in, pipe: [{call: \(call)}]\(traits)}",
      actions: "{notify: {\(action)}}")
  }

  private func send(_ values: String..., to graph: TestGraph) throws {
    for value in values { try graph.send(value, to: "in") }
  }

  private func inputs(_ graph: TestGraph) -> [String] {
    graph.programs.map { String(decoding: $0.program.input, as: UTF8.self) }
  }

  // MARK: Input and output of a program

  @Test func `each value calls the action, and the lines of its program come out`() throws {
    let graph = try Self.graph("notify", action: "exec: [notify, -x], format: json")
    _ = graph.said()
    try send(#"{"too":"warm"}"#, to: graph)
    let run = try #require(graph.programs.last)
    #expect(run.program.command == ["notify", "-x"])
    #expect(String(decoding: run.program.input, as: UTF8.self) == "{\"too\":\"warm\"}\n")
    #expect(run.program.owner == "g.notify")
    #expect(graph.said() == [#"in#1 {"too":"warm"}"#, "executing#2 true", "enabled#2 false"])
  }

  @Test(.inOneRuntime) func `outputs come out of the signal and of the action in one turn`() throws {
    let graph = try Self.graph(
      "notify", signals: "both: {combine: {o: out, v: notify.values}}")
    try send("1", to: graph)
    _ = graph.said()
    graph.programs[0].print("sent\n")
    #expect(
      graph.said(by: "out", "values", "both") == [
        "values#1 \"sent\"", "out#1 \"sent\"", #"both#1 {"o":"sent","v":"sent"}"#,
      ])
    graph.programs[0].end(.exited(0))
    #expect(graph.said() == ["executing#3 false", "enabled#3 true"])
  }

  @Test(.inOneRuntime) func `a program receives the signal that calls it, the sequence number and the message id`()
    throws
  {
    let graph = try Self.graph("notify")
    try send("1", "2", to: graph)
    graph.programs[0].end(.exited(0))
    let variables = graph.programs.map(\.program.environment)
    #expect(variables.count == 2)
    #expect(variables[0].prefix(2) == ["SIGNALBOX_SIGNAL=g.out", "SIGNALBOX_SEQ=1"])
    #expect(variables[1].prefix(2) == ["SIGNALBOX_SIGNAL=g.out", "SIGNALBOX_SEQ=2"])
    #expect(variables[0][2].hasPrefix("SIGNALBOX_MESSAGE_ID=g.out-"))
    #expect(variables[0][2] != variables[1][2])
  }

  @Test(.inOneRuntime) func `with determines what the action is called with`() throws {
    let graph = try Self.graph(#"{action: notify, with: '{text: "\(.)", by: $signal}'}"#)
    try send("7", to: graph)
    #expect(inputs(graph) == ["{\"text\":\"7\",\"by\":\"g.out\"}\n"])
  }

  @Test func `a value that with refuses calls nothing, and the next one does`() throws {
    let graph = try Self.graph("{action: notify, with: .a}")
    try send("7", #"{"a":1}"#, to: graph)
    #expect(graph.refusals.map(\.failure.code) == ["type_error"] || graph.refusals.count == 1)
    #expect(inputs(graph).last == "1\n")
    #expect(graph.signal("out").losses.errors == 1)
  }

  // MARK: Strategies

  @Test(.inOneRuntime) func `concat calls for one value after another, within a bound`() throws {
    let graph = try Self.graph("{action: notify, limit: 2, overflow: drop_newest}")
    try send("1", "2", "3", "4", to: graph)
    #expect(inputs(graph) == ["1\n"])
    #expect(graph.signal("out").losses.dropped == 1)
    for index in 0..<3 {
      #expect(graph.programs.count == index + 1)
      graph.programs[index].end(.exited(0))
    }
    #expect(inputs(graph) == ["1\n", "2\n", "3\n"])
  }

  @Test(.inOneRuntime) func `latest ends the program that runs, and waits until it is gone`() throws {
    let graph = try Self.graph("{action: notify, strategy: latest}")
    try send("1", "2", "3", to: graph)
    #expect(inputs(graph) == ["1\n"])
    #expect(graph.programs[0].isTerminated)
    graph.programs[0].print("late\n")
    graph.programs[0].end(.killed(15))
    #expect(inputs(graph) == ["1\n", "3\n"])
    graph.programs[1].print("in time\n")
    #expect(graph.said(by: "out") == ["out#1 \"in time\""])
  }

  @Test(.inOneRuntime) func `first leaves out the values that come while a call runs`() throws {
    let graph = try Self.graph("{action: notify, strategy: first}")
    try send("1", "2", to: graph)
    graph.programs[0].end(.exited(0))
    try send("3", to: graph)
    #expect(inputs(graph) == ["1\n", "3\n"])
  }

  @Test(.inOneRuntime) func `merge calls beside each other, up to a number`() throws {
    let graph = try Self.graph("{action: notify, strategy: merge, concurrent: 2}")
    try send("1", "2", "3", to: graph)
    #expect(inputs(graph) == ["1\n", "2\n"])
    graph.programs[1].end(.exited(0))
    #expect(inputs(graph) == ["1\n", "2\n", "3\n"])
    graph.programs[0].end(.exited(0))
    #expect(graph.said(by: "executing") == ["executing#1 false", "executing#2 true"])
    graph.programs[2].end(.exited(0))
    #expect(graph.said(by: "executing") == ["executing#3 false"])
  }

  @Test func `more values than may wait fail the signal`() throws {
    let graph = try Self.graph("{action: notify, limit: 1}")
    try send("1", "2", "3", to: graph)
    #expect(graph.said(by: "out") == ["out failed overflow"])
  }

  @Test(arguments: ["{action: notify, strategy: latest, limit: 3}", "{action: notify, concurrent: 3}"])
  func `bounds go with the strategies that have them`(call: String) {
    #expect(throws: ConfigurationError.self) { try Self.configuration(call) }
  }

  // MARK: Failures

  @Test(
    .inOneRuntime,
    arguments: [
      ("drop", ["values#1 \"half\"", "out#1 \"half\"", "errors#1 \(failed)"]),
      ("emit", ["values#1 \"half\"", "out#1 \"half\"", "errors#1 \(failed)", "out#2 {\"error\":\(failed)}"]),
      ("fail", ["values#1 \"half\"", "out#1 \"half\"", "errors#1 \(failed)", "out failed failed"]),
    ])
  func `a call that fails is a value refused`(policy: String, said: [String]) throws {
    let graph = try Self.graph("notify", traits: ", on_error: \(policy)")
    try send("5", to: graph)
    _ = graph.said()
    graph.programs[0].print("half\n")
    graph.programs[0].end(.exited(3))
    #expect(graph.said(by: "values", "errors", "out") == said)
    #expect(graph.refusals.map(\.value) == [5])
    #expect(graph.refusals.map(\.failure.message) == ["notify exited with status 3"])
    #expect(graph.signal("out").losses.errors == 1)
  }

  private static let failed = #"{"code":"failed","message":"notify exited with status 3","status":3}"#

  @Test(.inOneRuntime) func `a call that takes too long is ended, and the next waits until it is gone`() throws {
    let graph = try Self.graph("notify", action: "exec: [notify], timeout: 10s", traits: ", on_error: emit")
    try send("1", "2", to: graph)
    _ = graph.said()
    graph.advance(to: 10)
    #expect(graph.programs[0].isTerminated)
    #expect(graph.said(by: "out") == [#"out#1 {"error":{"code":"timeout","message":"no end within 10s"}}"#])
    #expect(inputs(graph) == ["1\n"])
    graph.advance(to: 12)
    graph.programs[0].end(.killed(15))
    #expect(inputs(graph) == ["1\n", "2\n"])
    graph.advance(to: 21)
    #expect(!graph.programs[1].isTerminated)
    graph.advance(to: 22)
    #expect(graph.programs[1].isTerminated)
  }

  @Test(.inOneRuntime) func `a failed call is tried again before it counts as failed`() throws {
    let graph = try Self.graph(
      "{action: notify, retry: {times: 2, delay: 1s, factor: 3}}", traits: ", on_error: emit")
    try send("1", to: graph)
    graph.programs[0].end(.exited(1))
    graph.advance(to: 1)
    #expect(graph.programs.count == 2)
    graph.programs[1].end(.exited(1))
    graph.advance(to: 3.9)
    #expect(graph.programs.count == 2)
    graph.advance(to: 4)
    #expect(graph.programs.count == 3)
    #expect(graph.said(by: "out") == [])
    graph.programs[2].end(.exited(2))
    #expect(
      graph.said(by: "out")
        == [#"out#1 {"error":{"code":"failed","message":"notify exited with status 2","status":2}}"#]
    )
    #expect(Set(graph.programs.map(\.program.environment)).count == 1)
  }

  @Test(.inOneRuntime, arguments: [3600, -3600] as [Double])
  func `a clock that is set changes nothing of a call, and its mark stays its own`(seconds: Double) throws {
    let graph = try Self.graph(
      "{action: notify, retry: {times: 1, delay: 10s}}", action: "exec: [notify], timeout: 60s")
    graph.runtime.clock.wallOffset = 1_700_000_000
    try send("1", to: graph)
    graph.programs[0].end(.exited(1))
    graph.advance(to: 5)
    graph.runtime.clock.wallOffset += seconds
    graph.advance(to: 9.9)
    #expect(graph.programs.count == 1)
    graph.advance(to: 10)
    #expect(graph.programs.count == 2)
    #expect(graph.programs[0].program.environment == graph.programs[1].program.environment)
    graph.advance(to: 69.9)
    #expect(!graph.programs[1].isTerminated)
    graph.advance(to: 70)
    #expect(graph.programs[1].isTerminated)
    // The moment of the first call.
    graph.runtime.clock.wallOffset = 1_700_000_000 - 70
    graph.programs[1].end(.exited(1))
    try send("1", to: graph)
    let marks = graph.programs.map { $0.program.environment.filter { $0.hasPrefix("SIGNALBOX_MESSAGE_ID=") } }
    #expect(Set(marks).count == 2)
  }

  @Test func `lines that make no value fail the call`() throws {
    let graph = try Self.graph("notify", action: "exec: [notify], format: json", traits: ", on_error: emit")
    try send("1", to: graph)
    let run = try #require(graph.programs.last)
    run.print("{\n7\n")
    run.end(.exited(0))
    #expect(graph.said(by: "out").first == "out#1 7")
    #expect(graph.said(by: "out").isEmpty)
  }

  // MARK: Permission

  @Test(.inOneRuntime) func `a value that comes while the action is not enabled is dropped and counted`() throws {
    let graph = try Self.graph(
      "notify", action: "exec: [notify], enabled_if: armed", signals: "armed: {property: {initial: false}}")
    try send("1", to: graph)
    #expect(graph.programs.isEmpty)
    #expect(graph.signal("out").losses.dropped == 1)
    #expect(graph.warnings == ["out: g.notify is not enabled: dropping values"])
    try graph.send("true", to: "armed")
    try send("2", "3", to: graph)
    #expect(inputs(graph) == ["2\n"])
    graph.programs[0].end(.exited(0))
    #expect(inputs(graph) == ["2\n", "3\n"])
    #expect(graph.signal("out").losses.dropped == 1)
  }

  @Test(.inOneRuntime) func `a condition that changes in the same turn is seen as it becomes`() throws {
    let graph = TestGraph(
      try TestGraph.configuration(
        signals: """
          heat: {input: {}}
          out: {from: heat, pipe: [{call: notify}]}
          high: {from: heat, pipe: [map: . > 25]}
          """, actions: "{notify: {exec: [notify], enabled_if: high}}"))
    for value in ["30", "20", "40"] {
      try graph.send(value, to: "heat")
      graph.programs.last?.end(.exited(0))
    }
    #expect(inputs(graph) == ["30\n", "40\n"])
  }

  @Test(.inOneRuntime) func `a client's call is busy while a pipe's runs, and a pipe's is not`() throws {
    let graph = try Self.graph("notify")
    let action = try #require(graph.runtime.actions["g.notify"])
    _ = try action.call(nil) { _ in }
    try send("1", to: graph)
    #expect(inputs(graph) == ["", "1\n"])
    graph.programs[0].end(.exited(0))
    #expect(throws: CallRefusal.busy) { try action.call(nil) { _ in } }
    graph.programs[1].end(.exited(0))
    _ = try action.call(nil) { _ in }
  }

  // MARK: Ends

  @Test(.inOneRuntime) func `the signal completes with its input once the last call has ended`() throws {
    let graph = try Self.graph("notify")
    try send("1", "2", to: graph)
    try graph.runtime.end(graph.signal("in"), with: .completed)
    graph.programs[0].end(.exited(0))
    #expect(graph.said(by: "out") == [])
    graph.programs[1].end(.exited(0))
    #expect(graph.said(by: "out") == ["out completed"])
  }

  @Test(.inOneRuntime) func `a failure of the input ends the program that runs`() throws {
    let graph = try Self.graph("notify")
    try send("1", "2", to: graph)
    try graph.runtime.end(graph.signal("in"), with: .failed(SignalFailure(code: "off", message: "")))
    #expect(graph.said(by: "out") == ["out failed off"])
    #expect(graph.programs[0].isTerminated)
    graph.programs[0].end(.killed(15))
    #expect(graph.programs.count == 1)
    #expect(graph.said(by: "executing").last == "executing#3 false")
  }

  @Test(.inOneRuntime) func `a reload that leaves the signal alone leaves its calls alone`() throws {
    let graph = try Self.graph("notify")
    try send("1", "2", to: graph)
    let verdict = graph.reload(try Self.configuration("notify", action: "exec: [notify, --louder]"))
    #expect(verdict.kept.contains("g.out"))
    #expect(!graph.programs[0].isTerminated)
    graph.programs[0].end(.exited(0))
    #expect(graph.programs.map(\.program.command) == [["notify"], ["notify", "--louder"]])
  }

  @Test(.inOneRuntime) func `a reload that changes the signal ends its calls`() throws {
    let graph = try Self.graph("notify")
    try send("1", "2", to: graph)
    _ = graph.reload(try Self.configuration("{action: notify, limit: 5}"))
    #expect(graph.programs[0].isTerminated)
    graph.programs[0].end(.killed(15))
    #expect(graph.programs.count == 1)
    try send("3", to: graph)
    #expect(inputs(graph) == ["1\n", "3\n"])
  }

  @Test(.inOneRuntime) func `a lazy signal that has lost its subscribers ends its calls`() throws {
    let graph = try Self.graph("notify", traits: ", lazy: true")
    try send("1", to: graph)
    #expect(graph.programs.isEmpty)
    graph.attach(to: "out")
    try send("2", to: graph)
    graph.detach(from: "out")
    #expect(graph.programs[0].isTerminated)
  }

  @Test func `calls that were encoded are made again with what they were made with`() throws {
    let graph = TestGraph(try Self.configuration("{action: notify, with: '. + now'}"), restarts: true)
    try send("1", "2", to: graph)
    graph.advance(to: 5)
    _ = graph.runtime
    let runs = graph.programs.map(\.program)
    #expect(runs.count > 1)
    #expect(Set(runs.map(\.input)).count == 1)
    #expect(Set(runs.map(\.environment)).count == 1)
    graph.programs.last?.end(.exited(0))
    _ = graph.runtime
    #expect(graph.programs.last?.program.environment[1] == "SIGNALBOX_SEQ=2")
  }

  @Test func `the time of a call counts on over a restart`() throws {
    let graph = TestGraph(
      try Self.configuration("notify", action: "exec: [notify], timeout: 10s", traits: ", on_error: emit"),
      restarts: true)
    try send("1", to: graph)
    graph.advance(to: 6)
    _ = graph.runtime
    graph.advance(to: 9.9)
    #expect(graph.said(by: "out") == [])
    graph.advance(to: 10)
    #expect(graph.said(by: "out") == [#"out#1 {"error":{"code":"timeout","message":"no end within 10s"}}"#])
  }

  // MARK: Errors

  @Test(arguments: [
    ("notfy", #"no action "notfy" in graph "g" notify"#),
    ("in", #""in" is a signal, not an action: send_to sends values to a signal"#),
    ("{with: .a}", #"call needs "action", the action"#),
    ("{action: notify, retry: {delay: 1s}}", #"missing "times""#),
  ])
  func `an error is reported with its place`(call: String, message: String) throws {
    #expect(mistakes { try Self.configuration(call) } == [message])
  }

  private func mistakes(_ read: () throws -> Configuration) -> [String] {
    guard case .invalid(let diagnostics)? = #expect(throws: ConfigurationError.self, performing: { _ = try read() })
    else { return [] }
    return diagnostics.list.map { "\($0.message)\($0.suggestion.map { " \($0)" } ?? "")" }
  }

  @Test func `an action cannot depend on the signal that calls it`() throws {
    let told = mistakes { try Self.configuration("notify", action: "exec: [notify], enabled_if: out") }
    #expect(
      told == [
        "a signal cannot depend on itself: g.out → g.notify.condition → g.out (values flow in this direction); "
          + "only send_to may close a cycle"
      ])
  }
}
