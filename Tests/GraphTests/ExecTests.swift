import GraphCatalogue
import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

/// Programs as sources, controlled by the test.
@Suite(.inOneRuntime) struct `Programs as sources` {
  @Test func `each line that a program prints is a value, and it completes with the program`() throws {
    let graph = try TestGraph(signals: "p: {exec: [date, -u, 5]}")
    let run = try #require(graph.programs.first)
    #expect(run.program.command == ["date", "-u", "5"])
    #expect(run.program.owner == "g.p")
    run.print("one\ntw")
    run.print("o\r\n\nlast")
    #expect(graph.said() == [#"p#1 "one""#, #"p#2 "two""#, #"p#3 """#])
    run.end(.exited(0))
    #expect(graph.said() == [#"p#4 "last""#, "p completed"])
  }

  @Test(arguments: [
    (ProgramEnd.exited(3), "exit", "x exited with status 3"), (.killed(9), "exit", "x was killed by signal 9"),
    (.notStarted("No such file or directory"), "exec", "cannot run x: No such file or directory"),
  ])
  func `a program that does not end well fails the signal`(end: ProgramEnd, code: String, message: String) throws {
    let graph = try TestGraph(signals: "p: {exec: [x]}")
    try #require(graph.programs.first).end(end)
    guard case .failed(let failure)? = graph.signal("p").ending else { throw SignalFailure(code: "", message: "") }
    #expect(failure == SignalFailure(code: code, message: message))
  }

  @Test func `JSON lines keep their numbers, blank ones are skipped, and others are refused`() throws {
    let graph = try TestGraph(signals: "p: {exec: [x], format: json}")
    let run = try #require(graph.programs.first)
    run.print("{\"v\": 1.50}\n  \nnonsense\n[2]\n")
    #expect(graph.said() == [#"p#1 {"v":1.50}"#, "p#2 [2]"])
    #expect(graph.signal("p").losses.errors == 1)
    let refusal = try #require(graph.refusals.first)
    #expect(refusal.value == "nonsense")
    #expect(refusal.failure.code == "bad_value")
    #expect(refusal.operatorName == "exec")
  }

  @Test func `on_error holds for lines too`() throws {
    let graph = try TestGraph(
      signals: """
        a: {exec: [x], format: json, on_error: emit}
        b: {exec: [x], format: json, on_error: fail}
        """)
    for run in graph.programs { run.print("1 2\n") }
    let said = graph.said()
    #expect(said.count == 2)
    #expect(said.first?.hasPrefix(#"a#1 {"error":{"code":"bad_value""#) == true)
    #expect(said.last == "b failed bad_value")
    #expect(graph.programs.map(\.isTerminated) == [false, true])
  }

  @Test func `a line longer than limits line is refused once and skipped`() throws {
    let graph = TestGraph(
      try TestGraph.configuration(
        "signalbox: 1\nserver: {limits: {line: 4}}\ngraphs: {g: {signals: {p: {exec: [x]}}}}\n"))
    let run = try #require(graph.programs.first)
    run.print("1234\n12345\n123456")
    run.print("789")
    run.print("0\nok\n")
    #expect(graph.said() == [#"p#1 "1234""#, #"p#2 "ok""#])
    #expect(graph.refusals.map(\.failure.code) == ["too_long", "too_long"])
  }

  @Test func `each line is a turn of its own`() throws {
    let graph = try TestGraph(
      signals: """
        p: {exec: [x]}
        n: {from: p, pipe: [lazy_map: .]}
        """)
    try #require(graph.programs.first).print("1\n2\n3\n")
    #expect(graph.said(by: "n").count == 3)
  }

  @Test func `a program is ended with its signal, and restarted when that is`() throws {
    let configuration = try TestGraph.configuration(signals: "p: {exec: [x], doc: a}")
    let graph = TestGraph(configuration)
    _ = graph.reload(try TestGraph.configuration(signals: "p: {exec: [x], doc: b}"))
    #expect(graph.programs.map(\.isTerminated) == [false])
    _ = graph.reload(try TestGraph.configuration(signals: "p: {exec: [y]}"))
    #expect(graph.programs.map(\.isTerminated) == [true, false])
    graph.programs[0].print("late\n")
    graph.programs[0].end(.killed(15))
    #expect(graph.said() == [])
    graph.programs[1].end(.exited(1))
    graph.runtime.restart(["g.p"])
    graph.programs[2].print("again\n")
    #expect(graph.said() == ["p failed exit", #"p#1 "again""#])
    graph.runtime.stop()
    #expect(graph.programs.map(\.isTerminated) == [true, true, true])
  }

  @Test func `a lazy program runs while it has subscribers, a cold one for each`() throws {
    let graph = try TestGraph(signals: "l: {exec: [l], lazy: true}\nc: {exec: [c], cold: true}")
    #expect(graph.programs.isEmpty)
    graph.attach(to: "l")
    let runs = [1, 2].map { _ in graph.runtime.startRun(of: graph.signal("c")) { _ in } }
    #expect(graph.programs.map(\.program.command) == [["l"], ["c"], ["c"]])
    graph.detach(from: "l")
    runs[1].stop()
    #expect(graph.programs.map(\.isTerminated) == [true, false, true])
  }

  @Test(arguments: [
    ("[echo, $value]", true), ("[echo, \"--key=$key\"]", true), ("[sh, -c, \"echo $value\"]", false),
    ("[echo, value]", false),
  ])
  func `a variable among the words of a program is a warning`(command: String, isWarned: Bool) throws {
    let configuration = try TestGraph.configuration(
      signals: "in: {input: {}}\np: {from: in, pipe: [{flat_map: {merge: {exec: \(command)}}}]}")
    let found = configuration.warnings.list.map(\.message)
    #expect(found.contains { $0.contains("is not expanded here") } == isWarned, "\(found)")
  }

  @Test func `retry runs a program again that failed`() throws {
    guard Catalogue.operator(named: "retry") != nil else { return }
    let graph = try TestGraph(signals: "p: {exec: [x], pipe: [{retry: 1}]}")
    graph.programs[0].print("1\n")
    graph.programs[0].end(.exited(1))
    #expect(graph.programs.count == 2)
    graph.programs[1].print("2\n")
    graph.programs[1].end(.exited(1))
    #expect(graph.said() == [#"p#1 "1""#, #"p#2 "2""#, "p failed exit"])
  }

  @Test func `input is an expression whose value a program gets on its standard input`() throws {
    let graph = try TestGraph(
      signals: """
        asked: {input: {}}
        plain: {exec: [x], input: '{by: $signal}'}
        answers: {from: asked, pipe: [{flat_map: {concat: {exec: [answer], input: '{question: $value}', format: json}}}]}
        """)
    try graph.send("7", to: "asked")
    try graph.send("8", to: "asked")
    #expect(
      graph.programs.map { String(decoding: $0.program.input, as: UTF8.self) } == [
        "{\"by\":\"g.plain\"}\n", "{\"question\":7}\n",
      ])
    graph.programs[1].print("42\n")
    graph.programs[1].end(.exited(0))
    #expect(graph.said(by: "answers") == ["answers#1 42"])
    #expect(graph.programs.last?.program.input == Array("{\"question\":8}\n".utf8))
  }

  @Test func `an input that has no value fails the signal before a program runs`() throws {
    let graph = try TestGraph(
      signals: """
        refused: {exec: [x], input: .a.b + error("no")}
        none: {exec: [x], input: empty}
        """)
    #expect(graph.programs.isEmpty)
    #expect(graph.said() == ["refused failed bad_value", "none failed empty"])
  }
}
