import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@testable import Daemon

@Suite struct `Actions that run programs` {
  @Test(arguments: HostKind.allCases) func `an action that is not there is named beside the nearest one`(
    kind: HostKind
  ) throws {
    let client = try kind.start("g: {actions: {echo: {exec: [cat]}}}").connect()
    #expect(
      try client.ask(#"{"op":"call","id":1,"action":"g.ecko"}"#)
        == #"{"reply":"error","id":1,"op":"call","error":{"code":"unknown_action","message":"no action \"g.ecko\"; did you mean \"g.echo\"?"}}"#
    )
  }

  @Test(arguments: HostKind.allCases)
  func `a program reads the value of the call and its lines are outputs`(kind: HostKind) throws {
    let daemon = try kind.start("g: {signals: {}, actions: {echo: {exec: [cat], format: json}}}")
    let client = try daemon.connect()
    #expect(
      try client.ask("subscribe g.echo.values")
        == #"{"reply":"subscribe","signals":[{"signal":"g.echo.values","seq":0}]}"#)
    try client.say(#"{"op":"call","id":7,"action":"g.echo","value":{"speed":1.50}}"#)
    try client.expect(
      #"{"event":"next","signal":"g.echo.values","seq":1,"value":{"speed":1.50}}"#,
      #"{"event":"next","call":7,"value":{"speed":1.50}}"#, #"{"reply":"call","id":7}"#)
    #expect(try client.ask("get g.echo.executing").contains(#""value":false"#))
    #expect(
      try client.ask("list g.echo.enabled").contains(#""kind":"action","send":false,"subscribe":true,"held":true"#))
  }

  @Test func `a durable graph calls for its first value, before the action's condition has come from outside`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      """
      g:
        durable: true
        signals:
          p: {property: {initial: 7}}
          two: {from: p, pipe: [{call: notify}], hold: true}
        actions: {notify: {exec: [cat], format: json}}
      """, server: "{state: \(folder("state"))}")
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let client = try daemon.connect()
    #expect(try client.ask("subscribe g.two").contains(#""reply":"subscribe""#))
    #expect(try client.line().contains(#""signal":"g.two","seq":1,"value":7"#))
  }

  @Test func `a value larger than a pipe arrives whole, whether or not it is read`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {actions: {count: {exec: [wc, -c]}, blind: {exec: [\"true\"]}}}")
    let client = try daemon.connect()
    let text = String(repeating: "x", count: 300_000)
    try client.say(#"{"op":"call","id":1,"action":"g.count","value":"\#(text)"}"#)
    try client.expect(#"{"event":"next","call":1,"value":"300003"}"#, #"{"reply":"call","id":1}"#)
    try client.say(#"{"op":"call","id":2,"action":"g.blind","value":"\#(text)"}"#)
    try client.expect(#"{"reply":"call","id":2}"#)
  }

  @Test func `a program that fails, takes too long or is not enabled is answered so`() throws {
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals: {on: {property: {initial: false}}}
        actions:
          bad: {exec: [sh, -c, "exit 3"]}
          slow: {exec: [sleep, 1000], timeout: 100ms}
          off: {exec: ["true"], enabled_if: on}
      """)
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.bad"}"#)
    try client.expect(
      #"{"reply":"error","id":1,"op":"call","error":{"code":"failed","message":"sh exited with status 3","status":3}}"#)
    try client.say(#"{"op":"call","id":2,"action":"g.slow"}"#)
    #expect(
      try client.ask(#"{"op":"call","id":3,"action":"g.slow"}"#).contains(#""id":3,"op":"call","error":{"code":"busy""#)
    )
    #expect(try client.line().contains(#""id":2,"op":"call","error":{"code":"timeout""#))
    #expect(try client.ask(#"{"op":"call","id":4,"action":"g.off"}"#).contains(#""code":"disabled""#))
    try client.say("send g.on true")
    try client.say(#"{"op":"call","id":5,"action":"g.off"}"#)
    try client.expect(#"{"reply":"call","id":5}"#)
    let stats = try client.ask("stats")
    #expect(stats.ranges(of: #""programs":{"starts":1,"failures":1}"#).count == 2, "\(stats)")
    #expect(stats.ranges(of: #""programs":{"starts":1,"failures":0}"#).count == 1, "\(stats)")
  }

  @Test func `closing the connection ends the program`() throws {
    let daemon = try HostKind.inProcess.start("g: {actions: {wait: {exec: [sh, -c, \"echo $$; exec sleep 1000\"]}}}")
    var program: Int32 = 0
    do {
      let client = try daemon.connect()
      try client.say(#"{"op":"call","id":1,"action":"g.wait"}"#)
      let line = try client.line()
      program = try #require(line.number(behind: #""value":""#).map { Int32($0) })
    }
    try daemon.iteration { kill(program, 0) == -1 }
    let client = try daemon.connect()
    try daemon.iteration { try client.ask("get g.wait.executing").contains("false") }
  }

  @Test func `runs that are over leave no descriptor behind, however they have ended`() throws {
    let daemon = try HostKind.program.start(
      """
      g:
        signals:
          in: {input: {}}
          each: {from: in, pipe: [{flat_map: {merge: {exec: [echo, x]}}}]}
        actions:
          good: {exec: [cat]}
          bad: {exec: ["false"]}
          missing: {exec: [/nonexistent]}
          slow: {exec: [sleep, 1000], timeout: 1ms}
      """)
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    try client.expectNothing()
    let before = process.descriptorCount
    for action in ["good", "bad", "missing", "slow"] {
      for id in 1...20 {
        try client.say(#"{"op":"call","id":\#(id),"action":"g.\#(action)"}"#)
        _ = try client.line()
        try daemon.iteration { try client.ask("get g.\(action).executing").hasSuffix(#""value":false}"#) }
      }
    }
    try client.say("subscribe g.each")
    _ = try client.line()
    for _ in 1...20 {
      try client.say("send g.in 1")
      _ = try client.line()
    }
    for _ in 1...20 {
      let caller = try daemon.connect()
      try caller.say(#"{"op":"call","id":1,"action":"g.good","value":1}"#, #"{"op":"call","id":2,"action":"g.slow"}"#)
      _ = try caller.line()
    }
    try client.wait(forConnections: 1)
    try daemon.iteration { process.descriptorCount <= before }
  }

  @Test(arguments: HostKind.allCases)
  func `a pipe calls a program with its value and its marks`(kind: HostKind) throws {
    let daemon = try kind.start(
      """
      g:
        signals:
          in: {input: {}}
          out: {from: in, pipe: [{call: tell}]}
        actions:
          tell: {exec: [sh, -c, 'read -r value; echo "$value $SIGNALBOX_SIGNAL $SIGNALBOX_SEQ"']}
      """)
    let client = try daemon.connect()
    _ = try client.ask("subscribe g.out")
    try client.say("send g.in 7", "send g.in 8")
    try client.expect(
      #"{"event":"next","signal":"g.out","seq":1,"value":"7 g.out 1"}"#,
      #"{"event":"next","signal":"g.out","seq":2,"value":"8 g.out 2"}"#)
  }

  @Test func `of ten thousand values each is called for or counted, and nothing is left of the programs`() throws {
    let daemon = try HostKind.program.start(
      """
      g:
        signals:
          in: {input: {endable: true}}
          out: {from: in, pipe: [{call: {action: tell, limit: 100, overflow: drop_newest}}]}
        actions: {tell: {exec: [echo]}}
      """)
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    _ = try client.ask("subscribe g.out")
    let descriptors = process.openDescriptors
    try client.send(0..<10_000, to: "g.in")
    try client.say(#"{"op":"send","signal":"g.in","event":"completed"}"#)
    let lines = try client.lines(upTo: #"{"event":"completed","signal":"g.out"}"#)
    let told = lines.count { $0.contains(#""event":"next""#) }
    let described = try client.ask("describe g.out")
    #expect(told >= 100)
    #expect(described.contains(#""dropped":\#(10_000 - told),"#), "\(told): \(described)")
    #expect(process.openDescriptors == descriptors)
    #expect(children(of: process.identifier) == "")
  }

  /// Returns the process ids of the children of a process.
  private func children(of process: pid_t) -> String {
    (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
  }
}
