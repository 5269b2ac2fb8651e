import Glibc
import GraphEngine
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon

@Suite struct `Programs that graphs run` {
  @Test(arguments: HostKind.allCases)
  func `a program's lines are values, and it completes`(kind: HostKind) throws {
    let daemon = try kind.start(
      #"g: {signals: {p: {exec: [sh, -c, "echo one; echo '{\"v\": 1.50}'; printf last"], lazy: true}}}"#)
    let client = try daemon.connect()
    try client.say("subscribe g.p")
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.p","seq":0}]}"#,
      #"{"event":"next","signal":"g.p","seq":1,"value":"one"}"#,
      #"{"event":"next","signal":"g.p","seq":2,"value":"{\"v\": 1.50}"}"#,
      #"{"event":"next","signal":"g.p","seq":3,"value":"last"}"#, #"{"event":"completed","signal":"g.p"}"#)
  }

  @Test func `a program starts with a clean environment, in the root, with no other descriptor, in a group of its own`()
    throws
  {
    // A descriptor left open for children.
    let leak = fcntl(0, F_DUPFD, 100)
    defer { close(leak) }
    setenv("SIGNALBOX_TEST_SECRET", "x", 1)
    let script =
      "env | sort | grep -v -e ^_= -e ^PWD= -e ^SHLVL=; pwd; [ -e /proc/$$/fd/\(leak) ] || echo no other; "
      + "ps -o pgid= -p $$ | tr -d ' ' | grep -qx $$ && echo leader; cat; "
      + "grep SigBlk /proc/self/status | tr -d '\\t'; trap 'echo not ignored' PIPE; kill -PIPE $$"
    let daemon = try HostKind.inProcess.start("g: {signals: {p: {exec: [sh, -c, \"\(script.escaped)\"], replay: 20}}}")
    let values = try daemon.values(of: "g.p")
    #expect(
      values == [
        "PATH=\(ProgramFile.searchPath)", "/", "no other", "leader", "SigBlk:0000000000000000",
        "not ignored",
      ])
  }

  @Test func `a program that fails fails the signal, with its status; its errors are in the log`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {p: {exec: [sh, -c, \"echo oh no >&2; exit 3\"]}, n: {exec: [/nonexistent]}, m: {exec: [nonexistent]}}}"
    )
    let client = try daemon.connect()
    for (signal, code, message) in [
      ("g.p", "exit", "sh exited with status 3"),
      ("g.n", "exec", "cannot run /nonexistent: No such file or directory"),
      ("g.m", "exec", "cannot run nonexistent: No such file or directory"),
    ] {
      try client.say("subscribe \(signal)")
      _ = try client.line()
      try client.expect(
        #"{"event":"failed","signal":"\#(signal)","error":{"code":"\#(code)","message":"\#(message)"}}"#)
    }
    let log = try #require(daemon.host as? LoopHost).log
    #expect(log.records.contains { $0.message == "g.p: sh: oh no" && $0.level == .notice })
  }

  @Test func `a program and those that it started are ended when its signal is gone`() throws {
    let folder = TemporaryFolder()
    let script = "sleep 1000 & echo $!; echo $$; trap 'echo ended > \(folder("ended")); exit' TERM; echo ready; wait"
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {p: {exec: [sh, -c, \"\(script)\"], replay: 9}, other: {input: {}}}}")
    try daemon.wait(for: "g.p", values: 3)
    let numbers = try daemon.values(of: "g.p").prefix(2).compactMap { Int32($0) }
    #expect(numbers.count == 2 && numbers.allSatisfy { kill($0, 0) == 0 })
    try daemon.folder.writeConfiguration("g: {signals: {other: {input: {}}}}")
    let client = try daemon.connect()
    #expect(try client.ask("reload").contains(#""removed":["g.p"]"#))
    try daemon.iteration { numbers.allSatisfy { kill($0, 0) == -1 } }
    #expect(access(folder("ended"), F_OK) == 0)
  }

  @Test func `the daemon ends its programs before it ends itself`() throws {
    let folder = TemporaryFolder()
    let script =
      "trap 'sleep 0.2; echo ended > \(folder("ended")); exit' TERM; echo ready; while :; do sleep 0.05; done"
    let daemon = try HostKind.program.start("g: {signals: {p: {exec: [sh, -c, \"\(script)\"], replay: 1}}}")
    let client = try daemon.connect()
    try client.say("subscribe g.p")
    var line = ""
    while !line.contains("ready") { line = try client.line() }
    let host = try #require(daemon.host as? ProgramHost)
    host.process.signal(SIGTERM)
    #expect(try host.process.waitForExit() == 0)
    #expect(access(folder("ended"), F_OK) == 0)
  }

  @Test func `one that fails is reported and counted, though it is restarted`() throws {
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          p: {exec: [sh, -c, "exit 3"], pipe: [{retry: {times: 2, delay: 1ms}}]}
          q: {exec: [sh, -c, "kill -9 $$"], pipe: [{retry: {times: 1, delay: 1ms}}]}
          fine: {exec: ["true"]}
      """)
    let client = try daemon.connect()
    try daemon.iteration { try client.ask("stats").contains(#""ended":3,"failed":2"#) }
    let stats = try client.ask("stats")
    #expect(stats.contains(#""programs":{"starts":3,"failures":3}"#), "\(stats)")
    #expect(stats.contains(#""programs":{"starts":2,"failures":2}"#), "\(stats)")
    #expect(stats.contains(#""programs":{"starts":1,"failures":0}"#), "\(stats)")
    let log = try #require(daemon.host as? LoopHost).log.records.filter { $0.level == .warning }.map(\.message)
    #expect(log.filter { $0 == "g.p: sh exited with status 3" }.count == 3)
    #expect(log.filter { $0 == "g.q: sh was killed by signal 9" }.count == 2)
  }

  @Test func `a signal and its program fill no more than their part of the log, and what is left out is counted`()
    throws
  {
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}, pipe: [log]}
          other: {input: {}, pipe: [log]}
          p: {exec: [sh, -c, "for i in $(seq 1000); do echo $i >&2; done"]}
      """)
    let client = try daemon.connect()
    try client.send(1..<1001, to: "g.in")
    try client.say("send g.other 1")
    _ = try client.ask("ping")
    let log = try #require(daemon.host as? LoopHost).log
    func left(_ signal: String) -> Int {
      log.records.compactMap { record in
        guard record.message.hasPrefix("\(signal): suppressed ") else { return nil }
        return Int(record.message.dropFirst("\(signal): suppressed ".count).prefix(while: \.isNumber))
      }.reduce(0, +)
    }
    func written(_ signal: String, _ level: LogLevel) -> Int {
      log.records.count {
        $0.message.hasPrefix("\(signal): ") && $0.level == level && !$0.message.contains(": suppressed ")
      }
    }
    #expect(written("g.other", .info) == 1)
    try daemon.iteration { written("g.in", .info) + left("g.in") == 1000 }
    try daemon.iteration { written("g.p", .notice) + left("g.p") == 1000 }
    #expect(written("g.in", .info) < 1000)
  }

  @Test func `a program that prints without end does not keep others from being served`() throws {
    let daemon = try HostKind.inProcess.start("g: {signals: {p: {exec: [yes]}, in: {input: {}}}}")
    let client = try daemon.connect()
    try daemon.wait(for: "g.p", values: 100_000)
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(#""seq":1"#))
  }
}

extension TestDaemon {
  /// Runs the daemon until a signal has had a number of values.
  func wait(for signal: String, values: UInt64) throws {
    let host = try #require(host as? LoopHost)
    try iteration { (host.daemon.hub.runtime.signal(named: signal)?.sequence ?? 0) >= values }
  }

  /// Returns the retained values of a signal that has ended or emitted "ready", as strings.
  func values(of signal: String) throws -> [String] {
    let host = try #require(host as? LoopHost)
    guard let signal = host.daemon.hub.runtime.signal(named: signal) else { return [] }
    try iteration { signal.ending != nil || signal.retained.last?.payload.value == "ready" }
    return signal.retained.latest(100).map { entry in
      guard case .string(let text) = entry.payload.value else { return entry.payload.description }
      return text
    }
  }
}

extension String {
  /// The text, escaped for double quotes in YAML.
  fileprivate var escaped: String {
    split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
  }
}
