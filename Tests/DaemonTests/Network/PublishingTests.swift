import Glibc
import TestSupport
import Testing

/// Adapters of brokers, to which signals publish.
@Suite struct `Adapters of brokers` {
  private static let server = "{bridge: service, connections: {home: {mqtt: 'mqtt://h', window: 4}}}"

  private static func graphs(_ publish: String = "topic: t", durable: Bool = false) -> String {
    """
    g:
    \(durable ? "  durable: true" : "  doc: ordinary")
      signals:
        in: {input: {}, publish: {mqtt: {connection: home, \(publish)}}}
    """
  }

  private static func adapter(_ daemon: TestDaemon, isConnected: Bool = true) throws -> ScriptedAdapter {
    let adapter = try ScriptedAdapter(daemon, kind: "mqtt")
    if isConnected { try adapter.report("home") }
    return adapter
  }

  @Test(arguments: HostKind.allCases)
  func `receive what signals publish as declarations, and each message`(kind: HostKind) throws {
    let daemon = try kind.start(Self.graphs("topic: home/alarm, retain: true, payload: .level"), server: Self.server)
    let adapter = try Self.adapter(daemon)
    #expect(
      adapter.welcome.contains(
        #""declarations":[{"signal":"g.in.published","role":"sink","kind":"mqtt","connection":"home","settings":{"qos":1,"retain":true,"topic":"home/alarm"}}]"#
      ))
    let client = try daemon.connect()
    try client.say("subscribe g.in.published", #"send g.in {"level":2}"#)
    _ = try client.line()
    let task = try adapter.task()
    #expect(
      task.line
        == #"{"event":"task","task":1,"signal":"g.in.published","role":"sink","connection":"home","request":{"topic":"home/alarm","payload":"2","qos":1,"retain":true},"attempt":1,"key":"\#(task.key)"}"#
    )
    try adapter.finish(task)
    try client.expectNothing(
      after:
        #"{"event":"next","signal":"g.in.published","seq":1,"value":{"connection":"home","topic":"home/alarm","payload":2}}"#
    )
    #expect(!(try client.ask("list g.in.published").contains("waiting")))
    try adapter.client.expectNothing()
  }

  @Test func `are given no messages while their connection is away, and all of them in order later`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(), server: Self.server)
    let adapter = try Self.adapter(daemon, isConnected: false)
    let client = try daemon.connect()
    for number in 0..<10 { try client.say("send g.in \(number)") }
    try adapter.client.expectNothing()
    #expect(try client.ask("list g.in.published").contains(#""waiting":10"#))
    try adapter.report("home")
    for number in 0..<10 {
      let task = try adapter.task()
      #expect(task.payload == "\(number)")
      try adapter.finish(task)
    }
    try adapter.client.expectNothing()
  }

  @Test func `that go away get what they have not acknowledged first, and of retained topics the newest value`() throws
  {
    let daemon = try HostKind.inProcess.start(
      Self.graphs(#"topic: '"t/\(.t)"', retain: true, payload: .n"#), server: Self.server)
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    for number in 0..<6 { try client.say(#"send g.in {"t":"a","n":\#(number)}"#) }
    let given = try (0..<4).map { _ in try adapter.task() }
    try adapter.report("home", "away")
    try client.say(#"send g.in {"t":"b","n":6}"#, #"send g.in {"t":"a","n":7}"#, #"send g.in {"t":"b","n":8}"#)
    _ = try client.ask("stats")
    try adapter.report("home")
    for task in given { try adapter.finish(task) }
    let rest = try (0..<2).map { _ in try adapter.task() }
    #expect(rest.map { "\($0.topic) \($0.payload)" } == ["t/a 7", "t/b 8"])
    for task in rest { try adapter.finish(task) }
    try adapter.client.expectNothing()
  }

  @Test func `get the newest value of each retained topic, also of those that differ in their bytes alone`() throws {
    let topics = ["\u{e9}", "e\u{301}"]
    let daemon = try HostKind.inProcess.start(
      Self.graphs(#"topic: '"t/\(.t)"', retain: true, payload: .n"#), server: Self.server)
    let adapter = try Self.adapter(daemon, isConnected: false)
    let client = try daemon.connect()
    for number in 0..<4 { try client.say(#"send g.in {"t":"\#(topics[number % 2])","n":\#(number)}"#) }
    _ = try client.ask("stats")
    try adapter.report("home")
    var messages: Set<[UInt8]> = []
    for _ in 0..<2 {
      let task = try adapter.task()
      messages.insert(Array("\(task.topic) \(task.payload)".utf8))
      try adapter.finish(task)
    }
    #expect(messages == [Array("t/\(topics[0]) 2".utf8), Array("t/\(topics[1]) 3".utf8)])
    try adapter.client.expectNothing()
  }

  @Test(arguments: [("drop_oldest", ["0", "8", "9"]), ("drop_newest", ["0", "1", "2"])])
  func `leave no more messages waiting than the limit`(overflow: String, expected: [String]) throws {
    let daemon = try HostKind.inProcess.start(
      Self.graphs("topic: t, limit: 2, overflow: \(overflow)"), server: Self.server)
    let adapter = try Self.adapter(daemon, isConnected: false)
    let client = try daemon.connect()
    for number in 0..<10 {
      try client.say("send g.in \(number)")
      // The first one is given, and stands for those behind it.
      _ = try client.ask("stats")
    }
    #expect(try client.ask("describe g.in.published").contains(#""dropped":7"#))
    try adapter.report("home")
    for payload in expected {
      let task = try adapter.task()
      #expect(task.payload == payload)
      try adapter.finish(task)
    }
    try adapter.client.expectNothing()
  }

  @Test(arguments: ["drop_oldest", "drop_newest"])
  func `get the newest value of each retained topic, however many were sent to it at the limit`(overflow: String) throws
  {
    let daemon = try HostKind.inProcess.start(
      Self.graphs(#"topic: '"t/\(.t)"', retain: true, payload: .n, limit: 2, overflow: \#(overflow)"#),
      server: Self.server)
    let adapter = try Self.adapter(daemon, isConnected: false)
    let client = try daemon.connect()
    for (topic, number) in [("x", 0), ("a", 1), ("b", 2), ("b", 3), ("a", 4)] {
      try client.say(#"send g.in {"t":"\#(topic)","n":\#(number)}"#)
      _ = try client.ask("stats")
    }
    #expect(try client.ask("describe g.in.published").contains(#""dropped":0"#))
    try adapter.report("home")
    for expected in ["t/x 0", "t/a 4", "t/b 3"] {
      let task = try adapter.task()
      #expect("\(task.topic) \(task.payload)" == expected)
      try adapter.finish(task)
    }
    try adapter.client.expectNothing()
  }

  @Test(arguments: [false, true])
  func `get one message of a retained topic, the newest, after their connection was away`(isDurable: Bool) throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs("topic: t, retain: true", durable: isDurable),
      server: "{bridge: service, state: \(folder("state")), connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    try client.say("send g.in 0")
    try adapter.finish(try adapter.task())
    for _ in 0..<2 {
      try adapter.report("home", "away")
      try adapter.client.expectNothing()
      for number in 1...5 { _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":\#(number)}"#) }
      _ = try client.ask("stats")
      try adapter.report("home")
      let task = try adapter.task()
      #expect(task.payload == "5")
      try adapter.finish(task)
      try adapter.client.expectNothing()
    }
  }

  @Test(arguments: [false, true])
  func `get what has failed before what came meanwhile, after their connection was away`(isDurable: Bool) throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs(durable: isDurable),
      server: "{bridge: service, state: \(folder("state")), connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    for number in 1...2 { try client.say("send g.in \(number)") }
    let failed = try (1...2).map { _ in try adapter.task() }
    // All at once, as a broken connection brings it.
    try adapter.client.say(
      #"{"op":"report","connection":"home","state":"away"}"#, #"{"op":"send","signal":"g.in","value":3}"#,
      failed[0].failure, failed[1].failure, #"{"op":"send","signal":"g.in","value":4}"#, "ping")
    #expect(try adapter.client.line().contains("ping"))
    _ = try client.ask("stats")
    try adapter.report("home")
    for number in 1...4 {
      let task = try adapter.task()
      #expect(task.payload == "\(number)")
      try adapter.finish(task)
    }
    try adapter.client.expectNothing()
  }

  @Test func `that refuse a message for good cost that message alone`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(), server: Self.server)
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe signalbox.errors", "send g.in 1", "send g.in 2")
    _ = try client.line()
    try adapter.fail(try adapter.task(), code: "mqtt", status: 135, retry: false)
    #expect(try client.line().contains(#""signal":"g.in.published""#))
    try adapter.finish(try adapter.task())
    try adapter.client.expectNothing()
  }

  @Test func `that are killed leave their messages to the next one, with the same key`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(), server: Self.server)
    var adapter: ScriptedAdapter? = try Self.adapter(daemon)
    let client = try daemon.connect()
    for number in 0..<6 { try client.say("send g.in \(number)") }
    let tasks = try (0..<4).compactMap { _ in try adapter?.task() }
    adapter = nil
    let next = try Self.adapter(daemon)
    for number in 0..<6 {
      let again = try next.task()
      #expect(again.payload == "\(number)")
      if number < 4 { #expect(again.key == tasks[number].key) }
      try next.finish(again)
    }
    try next.client.expectNothing()
  }

  @Test func `get the messages of a durable graph again after a kill of the daemon, with the same key`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs(durable: true),
      server: "{bridge: service, state: \(folder("state")), connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let first = TestDaemon(host, folder: folder)
    let adapter = try Self.adapter(first)
    let client = try first.connect()
    for number in 1...6 {
      #expect(
        try client.ask(#"{"op":"send","signal":"g.in","value":\#(number),"id":1}"#).contains(#""seq":\#(number)"#))
    }
    let tasks = try (0..<4).map { _ in try adapter.task() }
    try adapter.finish(tasks[0])
    let fifth = try adapter.task()
    host.process.signal(SIGKILL)
    _ = try host.process.waitForExit()
    let second = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let next = try Self.adapter(second)
    var again: [ScriptedAdapter.Task] = []
    repeat {
      again.append(try next.task())
      try next.finish(again[again.count - 1])
    } while again.last?.payload != "6"
    // The acknowledgement may have been on disk, or not.
    if again.count == 6 { again.removeFirst() }
    #expect(again.map(\.payload) == ["2", "3", "4", "5", "6"])
    #expect(again.dropLast().map(\.key) == [tasks[1].key, tasks[2].key, tasks[3].key, fifth.key])
  }

  @Test func `read messages with what the broker sends beside them`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {a: {mqtt: {connection: home, topic: 'x/+', as: message}}, b: {mqtt: {connection: home, topic: y}}}}",
      server: Self.server)
    let adapter = try Self.adapter(daemon)
    #expect(
      adapter.welcome.contains(
        #"{"signal":"g.a","role":"source","kind":"mqtt","connection":"home","settings":{"topic":"x/+","qos":1,"as":"message"}}"#
      ))
    let client = try daemon.connect()
    try client.say("subscribe g.a", "subscribe g.b")
    _ = try client.lines(2)
    for signal in ["g.a", "g.b"] {
      try adapter.client.say(
        #"{"op":"send","signal":"\#(signal)","payload":"{\"v\":1}","details":{"topic":"x/1","retained":false,"qos":1}}"#
      )
    }
    try client.expect(
      #"{"event":"next","signal":"g.a","seq":1,"value":{"topic":"x/1","retained":false,"qos":1,"payload":{"v":1}}}"#,
      #"{"event":"next","signal":"g.b","seq":1,"value":{"v":1}}"#)
  }

  private static func subscribed(_ topic: String, _ rest: String = "", durable: Bool = false) -> String {
    """
    g:
    \(durable ? "  durable: true" : "  doc: ordinary")
      signals:
        a: {mqtt: {connection: home, topic: '\(topic)'\(rest)}}
        b: {from: a, pipe: [{map: "[.]"}], hold: true}
    """
  }

  private func send(_ adapter: ScriptedAdapter, _ payload: String, retained: Bool) throws {
    let details = retained ? #","details":{"retained":true,"topic":"x","qos":1}"# : ""
    _ = try adapter.client.ask(#"{"op":"send","id":1,"signal":"g.a","payload":"\#(payload)"\#(details)}"#)
  }

  @Test(arguments: HostKind.allCases, [false, true])
  func `bring retained messages of one topic, which the signal holds`(kind: HostKind, durable: Bool) throws {
    let folder = TemporaryFolder()
    let state = durable ? "state: \(folder("state")), " : ""
    let daemon = try kind.start(
      Self.subscribed("x", durable: durable),
      server: "{bridge: service, \(state)connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    try send(adapter, "1", retained: false)
    #expect(try client.ask("get g.a").contains(#""code":"no_value""#))
    try send(adapter, "2", retained: true)
    #expect(try client.ask("get g.a").contains(#""value":2"#))
    try send(adapter, "3", retained: false)
    #expect(try client.ask("get g.a").contains(#""value":3"#))
    try client.say("subscribe g.a")
    _ = try client.line()
    try client.expect(#"{"event":"next","signal":"g.a","seq":3,"value":3}"#)
    // A reload keeps it, and a signal that it adds begins with it.
    try daemon.folder.writeConfiguration(
      Self.subscribed("x", durable: durable) + "\n    c: {from: a, hold: true}",
      server: "{bridge: service, \(state)connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    #expect(try client.ask("reload").contains(#""kept""#))
    try client.say("subscribe g.c")
    _ = try client.line()
    try client.expect(#"{"event":"next","signal":"g.c","seq":1,"value":3}"#)
  }

  @Test(arguments: ["x/+", "x/#", "$share/group/x"])
  func `bring retained messages of many topics, of which none is the state of the signal`(topic: String) throws {
    let daemon = try HostKind.inProcess.start(Self.subscribed(topic, ", as: message"), server: Self.server)
    let adapter = try Self.adapter(daemon)
    let client = try daemon.connect()
    try send(adapter, "2", retained: true)
    #expect(try client.ask("get g.a").contains(#""code":"no_value""#))
    #expect(try client.ask("get g.b").contains(#"[{"retained":true,"topic":"x","qos":1,"payload":2}]"#))
  }

  @Test func `bring retained messages that a durable graph holds after a kill`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.subscribed("x", durable: true),
      server: "{bridge: service, state: \(folder("state")), connections: {home: {mqtt: 'mqtt://h', window: 4}}}")
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    try send(try Self.adapter(TestDaemon(host, folder: folder)), "2", retained: true)
    for round in 3...4 {
      let host = round == 3 ? host : try ProgramHost(configuration: path, socket: folder("s"))
      host.process.signal(SIGKILL)
      _ = try host.process.waitForExit()
      let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
      let client = try daemon.connect()
      #expect(try client.ask("get g.a").contains(#""value":\#(round - 1)"#))
      try send(try Self.adapter(daemon), "\(round)", retained: false)
      #expect(try client.ask("get g.a").contains(#""value":\#(round)"#))
    }
  }
}
