import Glibc
import TestSupport
import Testing

/// What adapters can meet: reloads, handovers, kills, ends, and readers that do not read.
@Suite struct `Adapters, and what they can meet` {
  private static let server = "{bridge: service, connections: {api: {http: 'http://api'}, other: {http: 'http://o'}}}"

  private static func graphs(_ call: String = "action: a", durable: String = "false") -> String {
    """
    g:
    \(durable == "true" ? "  durable: true" : "  doc: ordinary")
      signals:
        in: {input: {}}
        out: {from: in, pipe: [{call: {\(call)}}]}
      actions: {a: {http: {connection: api, body: .}}}
    """
  }

  /// A daemon that is replaced in place.
  private static func replace(_ daemon: TestDaemon) throws {
    let process = try #require(daemon.host as? ProgramHost).process
    process.signal(SIGUSR2)
    try process.waitForOutput(containing: "resumed the state of process")
  }

  @Test func `a reload withdraws the tasks of a signal that has changed, and leaves the others`() throws {
    let graphs = { (with: String) in
      """
      g:
        signals:
          in: {input: {}}
          one: {from: in, pipe: [{call: {action: a, with: '\(with)'}}]}
          two: {from: in, pipe: [{call: {action: a}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """
    }
    let daemon = try HostKind.inProcess.start(graphs(". + 1"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.two", "send g.in 1")
    _ = try client.line()
    let tasks = [try adapter.task(), try adapter.task()]
    try daemon.folder.writeConfiguration(graphs(". + 2"), server: Self.server)
    #expect(try client.ask("reload").contains(#""changed":["g.one"]"#))
    let changed = try #require(tasks.first { $0.value == "2" })
    let kept = try #require(tasks.first { $0.value == "1" })
    try adapter.client.expect(#"{"event":"cancel","task":\#(changed.number)}"#)
    try adapter.finish(kept, #","value":"kept""#)
    try client.expect(#"{"event":"next","signal":"g.two","seq":1,"value":"kept"}"#)
  }

  @Test func `a connection that is removed while a call is under way fails it`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.a"}"#)
    let task = try adapter.task()
    try daemon.folder.writeConfiguration(
      Self.graphs().replacingConnection, server: "{bridge: service, connections: {other: {http: 'http://o'}}}")
    let lines = [try client.ask("reload"), try client.line()]
    #expect(lines.contains { $0.contains(#""reply":"reload""#) })
    #expect(lines.contains { $0.contains(#""code":"connect","message":"the connection \"api\" is gone""#) })
    let told = [try adapter.client.line(), try adapter.client.line()]
    #expect(told.contains(#"{"event":"cancel","task":\#(task.number)}"#))
    #expect(told.contains { $0.contains(#""connections":[{"connection":"other""#) })
  }

  @Test(arguments: ["true", "false"])
  func `a handover keeps adapters with their tasks and numbers`(durable: String) throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs("action: a, strategy: merge", durable: durable),
      server: "{bridge: service, state: \(folder("state")), connections: {api: {http: 'http://api'}}}")
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.out", "send g.in 1", "send g.in 2")
    _ = try client.line()
    let tasks = [try adapter.task(), try adapter.task()]
    try Self.replace(daemon)
    try adapter.finish(tasks[1], #","value":"two""#)
    try client.expect(#"{"event":"next","signal":"g.out","seq":1,"value":"two"}"#)
    try adapter.finish(tasks[0], #","value":"one""#)
    try client.expect(#"{"event":"next","signal":"g.out","seq":2,"value":"one"}"#)
    try client.say("send g.in 3")
    let third = try adapter.task()
    #expect((third.number, third.value) == (3, "3"))
  }

  @Test(arguments: ["  durable: true", "  doc: ordinary"])
  func `a handover replies to what a full queue has held back`(kind: String) throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      """
      g:
      \(kind)
        signals:
          s: {http: {connection: api, path: /s, every: 1h}}
          out: {from: s, pipe: [{call: {action: a, limit: 1, overflow: block}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """, server: "{bridge: service, state: \(folder("state")), connections: {api: {http: 'http://api'}}}")
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.s")
    _ = try client.line()
    for id in 1...6 { try adapter.client.say(#"{"op":"send","id":\#(id),"signal":"g.s","value":\#(id)}"#) }
    // All are taken, whether their replies wait or not.
    _ = try client.lines(6)
    try Self.replace(daemon)
    // The task of the first value, and the replies to those before the queue was full and behind them.
    let lines = try adapter.client.lines(7)
    #expect(lines.count { $0.hasPrefix(#"{"event":"task""#) } == 1)
    for id in 1...6 { #expect(lines.contains { $0.hasPrefix(#"{"reply":"send","id":\#(id),"#) }) }
  }

  @Test func `a durable graph that is killed makes its calls again, with the same key`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs(durable: "true"),
      server: "{bridge: service, state: \(folder("state")), connections: {api: {http: 'http://api'}}}")
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let first = TestDaemon(host, folder: folder)
    let adapter = try ScriptedAdapter(first)
    let client = try first.connect()
    #expect(try client.ask(#"{"op":"send","signal":"g.in","value":1,"id":1}"#).contains(#""seq":1"#))
    let task = try adapter.task()
    host.process.signal(SIGKILL)
    _ = try host.process.waitForExit()
    let second = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let next = try ScriptedAdapter(second)
    let again = try next.task()
    #expect((again.key, again.attempt, again.value) == (task.key, task.attempt, "1"))
    let listener = try second.connect()
    try listener.say("subscribe g.out")
    _ = try listener.line()
    try next.finish(again, #","value":"done""#)
    try listener.expect(#"{"event":"next","signal":"g.out","seq":1,"value":"done"}"#)
  }

  @Test func `one that does not read gets no more tasks than its output may hold, and all of them later`() throws {
    let daemon = try HostKind.inProcess.start(
      Self.graphs("action: a, strategy: merge, concurrent: 200"),
      server: "{bridge: service, limits: {output: 50KiB}, connections: {api: {http: 'http://api', concurrent: 1000}}}")
    let adapter = try ScriptedAdapter(daemon, window: 4096)
    let client = try daemon.connect()
    let text = String(repeating: "x", count: 10_000)
    for number in 0..<200 { try client.say(#"send g.in {"n":\#(number),"x":"\#(text)"}"#) }
    try client.expectNothing()
    let stats = try client.ask("stats")
    let waiting = stats.number(behind: #""given":0,"#) ?? stats.number(behind: #""waiting":"#) ?? 0
    #expect(waiting > 50)
    for number in 0..<200 {
      let task = try adapter.task()
      #expect(task.value.contains(#""n":\#(number),"#))
      try adapter.finish(task)
    }
    try adapter.client.expectNothing()
  }

  @Test(arguments: HostKind.allCases)
  func `the end of the daemon takes it along`(kind: HostKind) throws {
    guard kind == .program else { return }
    let daemon = try kind.start(Self.graphs(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("send g.in 1")
    let task = try adapter.task()
    let process = try #require(daemon.host as? ProgramHost).process
    process.signal(SIGTERM)
    try adapter.client.expect(#"{"event":"cancel","task":\#(task.number)}"#)
    try adapter.client.expectEnd()
    #expect(try process.waitForExit() == 0)
  }

  @Test func `senders wait while a queue of calls is full, and continue when it has emptied`() throws {
    let daemon = try HostKind.inProcess.start(
      Self.graphs("action: a, limit: 10, overflow: block"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    let other = try daemon.connect()
    try other.say("subscribe g.in")
    #expect(try other.line().contains(#""reply":"subscribe""#))
    for number in 0..<100 { try client.say("send g.in \(number)") }
    try client.say(#"{"op":"ping","id":1}"#)
    for number in 0..<11 {
      try other.expect(#"{"event":"next","signal":"g.in","seq":\#(number + 1),"value":\#(number)}"#)
    }
    try other.say("unsubscribe g.in")
    #expect(try other.line().contains(#""reply":"unsubscribe""#))
    #expect(try other.ask("describe g.in").contains(#""seq":11,"#))
    #expect(try other.ask("list g.out").contains(#""calls":{"waiting":11,"age":"#))
    for number in 0..<100 {
      let task = try adapter.task()
      #expect(task.value == "\(number)")
      try adapter.finish(task)
    }
    try client.expect(#"{"reply":"ping","id":1}"#)
    try adapter.client.expectNothing()
    #expect(!(try other.ask("list g.out").contains("calls")))
  }

  @Test func `their answers wait while a queue of calls is full that takes their values`() throws {
    let graphs = """
      g:
        signals:
          s: {http: {connection: other, path: /s, every: 1s}}
          out: {from: s, pipe: [{call: {action: a, limit: 4, overflow: block}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """
    let daemon = try HostKind.inProcess.start(graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    for number in 0..<6 { try adapter.client.say(#"{"op":"send","signal":"g.s","value":\#(number),"id":\#(number)}"#) }
    let first = try adapter.task()
    for number in 0..<5 {
      if number < 4 { #expect(try adapter.client.line().contains(#""reply":"send","id":\#(number)"#)) }
    }
    try adapter.client.expectNothing()
    #expect(try adapter.client.ask(#"{"op":"send","signal":"g.s","value":9}"#).contains(#""code":"busy""#))
    try adapter.finish(first)
    for _ in 1..<4 { try adapter.finish(try adapter.task()) }
    var answers: [String] = []
    for _ in 0..<3 { answers.append(try adapter.client.line()) }
    #expect(answers.count { $0.contains(#""reply":"send""#) } == 2)
  }

  @Test func `a program with short lines loses none while a queue of calls is full`() throws {
    let lines = 1_500
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {exec: [/bin/sh, -c, 'yes | head -n \(lines)']}
          out: {from: in, pipe: [{call: {action: a, limit: 20, overflow: block}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    for _ in 0..<lines { try adapter.finish(try adapter.task()) }
    #expect(try daemon.connect().ask("describe g.out").contains(#""dropped":0"#))
  }

  @Test func `a full queue pauses only what feeds it, which tells for which call`() throws {
    let lines = 3_000
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {exec: [/bin/sh, -c, 'yes | head -n \(lines)']}
          out: {from: in, pipe: [{call: {action: a, limit: 20, overflow: block}}]}
        actions: {a: {http: {connection: api, body: .}}}
      h:
        signals:
          other: {exec: [/bin/sh, -c, 'yes | head -n \(lines)']}
          all: {from: other, pipe: [{scan: {initial: 0, next: $state + 1}}, {filter: . == \(lines)}], hold: true}
      """, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let first = try adapter.task()
    let client = try daemon.connect()
    try daemon.iteration { try client.ask("get h.all").contains(#""value":\#(lines)"#) }
    let paused = #""paused_by":[{"signal":"g.out","action":"g.a"}]"#
    for request in ["list g.in", "describe g.in"] { #expect(try client.ask(request).contains(paused)) }
    for signal in ["h.other", "g.out"] { #expect(!(try client.ask("list \(signal)").contains("paused_by"))) }
    try adapter.finish(first)
    for _ in 1..<lines { try adapter.finish(try adapter.task()) }
    try daemon.iteration { try !client.ask("list g.in").contains("paused_by") }
  }

  @Test func `a full queue pauses what comes to it through the outputs of an action`() throws {
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}}
          asked: {from: in, pipe: [{call: ask}]}
          out: {from: ask.values, pipe: [{call: {action: a, limit: 4, overflow: block}}]}
        actions: {ask: {http: {connection: other, body: .}}, a: {http: {connection: api, body: .}}}
      """, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    for number in 0..<5 {
      try client.say("send g.in \(number)")
      let asked = try adapter.task()
      try adapter.finish(asked, #","value":\#(number)"#)
      if number == 0 { #expect(try adapter.task().line.contains(#""signal":"g.a""#)) }
    }
    #expect(try daemon.connect().ask("list g.in").contains(#""paused_by":[{"signal":"g.out","action":"g.a"}]"#))
  }

  @Test func `answers that are held back for one queue do not go when another one empties`() throws {
    let graph = { (name: String) in
      """
      \(name):
        signals:
          s: {http: {connection: other, path: /s, every: 1s}}
          out: {from: s, pipe: [{call: {action: a, limit: 2, overflow: block}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """
    }
    let daemon = try HostKind.inProcess.start("\(graph("g"))\n\(graph("h"))", server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    var tasks: [ScriptedAdapter.Task] = []
    for signal in ["g.s", "h.s"] {
      for number in 0..<4 { try adapter.client.say(#"{"op":"send","signal":"\#(signal)","value":1,"id":\#(number)}"#) }
      tasks.append(try adapter.task())
      for _ in 0..<2 { #expect(try adapter.client.line().contains(#""reply":"send""#)) }
    }
    try adapter.finish(tasks[0])
    for _ in 0..<2 { tasks[0] = try adapter.task(); try adapter.finish(tasks[0]) }
    let answers = [try adapter.client.line(), try adapter.client.line(), try adapter.client.line()]
    #expect(answers.count { $0.contains(#""reply":"send""#) && $0.contains(#""signal":"g.s""#) } == 2)
    try adapter.client.expectNothing()
  }

  @Test func `a failure ends with the first success`() throws {
    let daemon = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}}
          out: {from: in, pipe: [{call: a}]}
          all: {from: in, pipe: [{call: {action: a, batch: {count: 3}}}]}
        actions: {a: {http: {connection: api, body: .}}}
      """, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("send g.in 1")
    try adapter.fail(try adapter.task(), status: 503, retry: false)
    try daemon.iteration {
      try client.ask("list g.out").contains(#""error":{"code":"http","message":"no","status":503"#)
    }
    #expect(try client.ask("list g.out").contains(#""action":"g.a"}"#))
    // A batch that is gathered waits as well.
    #expect(try client.ask("list g.all").contains(#""calls":{"waiting":1,"age":"#))
    try client.say("send g.in 2")
    try adapter.finish(try adapter.task())
    try daemon.iteration { try !client.ask("list g.out").contains("calls") }
  }

  @Test func `what waits and the last failure are described`() throws {
    let daemon = try HostKind.inProcess.start(
      Self.graphs("action: a, retry: {times: 3, delay: 1h}"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("send g.in 1", "send g.in 2")
    try adapter.fail(try adapter.task(), status: 503, retry: true)
    try adapter.client.expectNothing()
    #expect(try client.ask("describe g.out").contains(#""calls":[{"action":"g.a","waiting":2,"age":"#))
    #expect(try client.ask("describe g.out").contains(#""error":{"code":"http","message":"no","status":503,"age":"#))
    #expect(try client.ask("describe g.a.values").contains(#""connection":{"connection":"api","kind":"http","#))
    #expect(try client.ask("list g.a.*").contains(#""away":{"connection":"api""#))
  }
}

extension String {
  /// The graphs without the action, whose connection is gone.
  fileprivate var replacingConnection: String {
    "g: {signals: {in: {input: {}}}}"
  }
}
