import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@testable import Daemon
@testable import GraphEngine
@testable import World

/// Programs that stay from one call to the next (`keep: true`).
@Suite struct `Programs that stay` {
  /// Answers each line with its process ID and the line.
  private static let numbered = #"while read -r line; do echo "$$ $line"; done"#

  private func start(_ script: String, _ options: String = "", signals: String = "") throws -> TestDaemon {
    try HostKind.inProcess.start(
      """
      g:
        signals: {in: {input: {}}, \(signals)}
        actions:
          run: {exec: [sh, -c, '\(script)'], keep: true, \(options)}
      """)
  }

  /// Calls the action and returns the words of its answer.
  private func call(_ value: Int, _ client: TestClient) throws -> [Substring] {
    try client.say(#"{"op":"call","id":1,"action":"g.run","value":\#(value)}"#)
    let answer = try client.line()
    try client.expect(#"{"reply":"call","id":1}"#)
    let text = try #require(answer.firstRange(of: #""value":""#)).upperBound
    return answer[text...].dropLast(2).split(separator: " ")
  }

  @Test func `one process answers one call after another`() throws {
    let client = try start(Self.numbered).connect()
    let answers = try (1...20).map { try call($0, client) }
    #expect(Set(answers.map(\.[0])).count == 1)
    #expect(answers.map(\.[1]) == (1...20).map { "\($0)" })
  }

  @Test func `values larger than a pipe go there and back`() throws {
    let daemon = try HostKind.inProcess.start("g: {actions: {echo: {exec: [cat], format: json, keep: true}}}")
    let client = try daemon.connect()
    for letter in ["x", "y"] {
      let text = String(repeating: letter, count: 300_000)
      try client.say(#"{"op":"call","id":1,"action":"g.echo","value":"\#(text)"}"#)
      try client.expect(#"{"event":"next","call":1,"value":"\#(text)"}"#, #"{"reply":"call","id":1}"#)
    }
  }

  @Test func `one that has ended meanwhile is started again`() throws {
    let daemon = try start(Self.numbered)
    let client = try daemon.connect()
    let first = try #require(Int32(try call(1, client)[0]))
    kill(first, SIGKILL)
    try daemon.iteration { kill(first, 0) == -1 }
    let second = try call(2, client)
    #expect(second[0] != "\(first)" && second[1] == "2")
  }

  @Test(arguments: [("exit 3", "sh exited with status 3"), ("exit 0", "sh exited without an answer")])
  func `a call during which it ends has failed`(ending: String, message: String) throws {
    let client = try start("read -r line; \(ending)").connect()
    for id in 1...2 {
      let answer = try client.ask(#"{"op":"call","id":\#(id),"action":"g.run","value":1}"#)
      #expect(answer.contains(#""error":{"code":"failed","message":"\#(message)""#), "\(answer)")
    }
  }

  @Test func `one that does not answer in time is replaced`() throws {
    let script = #"while read -r line; do case $line in 1) sleep 1000;; *) echo "$$ $line";; esac; done"#
    let daemon = try start(script, "timeout: 300ms")
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":7,"action":"g.run","value":1}"#)
    #expect(try client.line().contains(#""id":7,"op":"call","error":{"code":"timeout""#))
    try daemon.iteration { try client.ask("get g.run.executing").contains("false") }
    #expect(try call(2, client)[1] == "2")
  }

  @Test func `the calls of a pipe are answered in order, by the process of the action`() throws {
    let daemon = try start(
      Self.numbered, signals: "x: {from: in, pipe: [{call: run}, {map: 'split(\" \")'}], replay: 9}")
    let client = try daemon.connect()
    for value in 1...5 { try client.say("send g.in \(value)") }
    try daemon.wait(for: "g.x", values: 5)
    let values = try client.ask("get g.x").contains(#","5"]"#)
    #expect(values)
    let process = try call(6, client)[0]
    #expect(try client.ask("get g.x").contains(#""\#(process)","5"]"#))
  }

  @Test func `concurrent calls have a process each, and one of them stays`() throws {
    let folder = TemporaryFolder()
    let (log, gate) = (folder("log"), folder("gate"))
    let script =
      #"echo $$ >> \#(log); while read -r line; do while [ ! -e \#(gate) ]; do sleep 0.01; done; echo $$; done"#
    let daemon = try start(
      script, signals: "x: {from: in, pipe: [{call: {action: run, strategy: merge, concurrent: 3}}]}")
    let client = try daemon.connect()
    for value in 1...3 { try client.say("send g.in \(value)") }
    func processes() -> [Int32] {
      ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { Int32($0) }
    }
    try daemon.iteration { processes().count == 3 }
    _ = FileManager.default.createFile(atPath: gate, contents: nil)
    try daemon.wait(for: "g.x", values: 3)
    try daemon.iteration { processes().count { kill($0, 0) == 0 } == 1 }
  }

  @Test(arguments: ["", "run: {exec: [cat], keep: true}", "run: {exec: [cat]}"])
  func `one that is no longer declared ends`(action: String) throws {
    let daemon = try start(Self.numbered)
    let client = try daemon.connect()
    let process = try #require(Int32(try call(1, client)[0]))
    try daemon.folder.writeConfiguration("g: {signals: {in: {input: {}}}, actions: {\(action)}}")
    _ = try client.ask("reload")
    try daemon.iteration { kill(process, 0) == -1 }
  }

  @Test func `one that is declared as before stays over a reload`() throws {
    let daemon = try start(Self.numbered)
    let client = try daemon.connect()
    let process = try call(1, client)[0]
    _ = try client.ask("reload")
    #expect(try call(2, client)[0] == process)
  }

  @Test(arguments: [
    (#"while read -r line; do printf "$$ $line\nmore\n"; done"#, "answered a call with more than one line"),
    (#"while read -r line; do echo "$$ $line"; sleep 0.05; echo more; done"#, "wrote output that no call asked for"),
    (#"while :; do echo "$$ 1"; sleep 0.2; done"#, "wrote output that no call asked for"),
  ])
  func `one that answers otherwise is replaced`(script: String, reason: String) throws {
    let daemon = try start(script)
    let client = try daemon.connect()
    let first = try #require(Int32(try call(1, client)[0]))
    let log = try #require(daemon.host as? LoopHost).log
    try daemon.iteration { kill(first, 0) == -1 }
    #expect(
      log.records.contains { $0.message.contains(reason) && $0.message.contains("the next call starts it again") })
    #expect(try call(2, client)[0] != "\(first)")
  }

  @Test func `one that answers without reading is ended before its input fills memory`() throws {
    let daemon = try start("echo x; sleep 1000")
    let client = try daemon.connect()
    let text = String(repeating: "x", count: 300_000)
    try client.say(#"{"op":"call","id":1,"action":"g.run","value":"\#(text)"}"#)
    _ = try client.lines(2)
    let log = try #require(daemon.host as? LoopHost).log
    try daemon.iteration { log.records.contains { $0.message.contains("answered a call without reading it") } }
  }

  @Test func `a call of one that reads nothing and ends is answered`() throws {
    let daemon = try HostKind.inProcess.start("g: {actions: {run: {exec: [\"true\"], keep: true}}}")
    let client = try daemon.connect()
    for id in 1...20 {
      let answer = try client.ask(#"{"op":"call","id":\#(id),"action":"g.run","value":1}"#)
      #expect(answer.contains(#""error":{"code":"failed","message":"true exited without an answer""#), "\(answer)")
    }
  }

  @Test func `a call that is over is not retained`() throws {
    let host = try #require(try start(Self.numbered).host as? LoopHost)
    final class Receiver { var events: [ProgramEvent] = [] }
    weak var released: Receiver?
    var handle: (any RunningProgram)?
    do {
      let receiver = Receiver()
      released = receiver
      let program = Program(["cat"], input: Array("1\n".utf8), owner: "g.other", purpose: .call, isKept: true)
      handle = host.daemon.world.start(program) { receiver.events.append($0) }
      while receiver.events.last != .ended(.exited(0)) { try host.iteration() }
    }
    #expect(released == nil && handle != nil)
  }

  @Test func `all end with the daemon`() throws {
    var process: Int32 = 0
    do {
      let daemon = try start(Self.numbered)
      process = try #require(Int32(try call(1, try daemon.connect())[0]))
    }
    #expect(kill(process, 0) == -1)
  }

  @Test func `keep is for programs`() throws {
    let daemon = try start(Self.numbered)
    let client = try daemon.connect()
    try daemon.folder.writeConfiguration(
      "g: {actions: {a: {dbus: {name: a.b, path: /, interface: a.b, method: C}, keep: true}}}")
    #expect(try client.ask("reload").contains("keep is for programs: it requires exec"))
    try daemon.folder.writeConfiguration("g: {actions: {a: {exec: [cat], format: csv, keep: true}}}")
    #expect(try client.ask("reload").contains("csv"))
  }
}
