import Glibc
import TestSupport
import Testing

/// Sources on the network, whose values an adapter sends.
@Suite struct `Sources on the network` {
  private static let server = #"{bridge: service, connections: {api: {http: "http://api"}}}"#

  private static func graph(_ rest: String = "", beside: String = "") -> String {
    "g: {signals: {s: {http: {connection: api, path: /s, every: 1s}\(rest)}\(beside)}}"
  }

  @Test(arguments: HostKind.allCases)
  func `emit what the adapter sends, JSON where it can be read so, else text`(kind: HostKind) throws {
    let daemon = try kind.start(Self.graph(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.s")
    _ = try client.line()
    try adapter.client.say(
      #"{"op":"send","signal":"g.s","value":1}"#, #"{"op":"send","signal":"g.s","values":[2,3],"id":1}"#,
      #"{"op":"send","signal":"g.s","payload":"{\"a\": 1.50}\n","position":"p1","id":2}"#,
      #"{"op":"send","signal":"g.s","payload":"plain text\r\n","details":{"status":200}}"#,
      #"{"op":"send","signal":"g.s","payload_base64":"W10=","id":3}"#,
      #"{"op":"send","signal":"g.s","payload_base64":"//8=","id":4}"#)
    try adapter.client.expectNothing(
      after: #"{"reply":"send","id":1,"signal":"g.s","seq":3}"#, #"{"reply":"send","id":2,"signal":"g.s","seq":4}"#,
      #"{"reply":"send","id":3,"signal":"g.s","seq":6}"#, #"{"reply":"send","id":4,"signal":"g.s","seq":null}"#)
    let values = try client.lines(6).map { $0.firstMatch(of: /"value":(.*)}/).map { String($0.1) } }
    #expect(values == ["1", "2", "3", #"{"a":1.50}"#, #""plain text""#, "[]"])
    try client.expectNothing()
  }

  @Test func `read records in their format, and refuse others`() throws {
    let daemon = try HostKind.inProcess.start(
      Self.graph(", format: {csv: [a, b]}"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.s", "subscribe signalbox.errors")
    _ = try client.lines(2)
    try adapter.client.say(
      #"{"op":"send","signal":"g.s","payload":"1,2\n"}"#, #"{"op":"send","signal":"g.s","payload":"1,2,3"}"#)
    try client.expect(#"{"event":"next","signal":"g.s","seq":1,"value":{"a":"1","b":"2"}}"#)
    #expect(try client.line().contains("3 fields"))
  }

  @Test func `resume with the next adapter where the last one stopped`() throws {
    let daemon = try HostKind.inProcess.start(Self.graph(), server: Self.server)
    let observer = try daemon.connect()
    _ = try observer.ask("subscribe signalbox.clients")
    do {
      let first = try ScriptedAdapter(daemon)
      _ = try first.client.ask(#"{"op":"send","signal":"g.s","value":1,"position":"p1","id":1}"#)
    }
    while try !observer.line().contains(#""event":"gone""#) {}
    #expect(try ScriptedAdapter(daemon).welcome.contains(#""position":"p1""#))
  }

  @Test func `take values of their adapter alone`() throws {
    let daemon = try HostKind.inProcess.start(Self.graph(), server: Self.server)
    _ = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    #expect(try client.ask("send g.s 1").contains(#""code":"not_an_input""#))
    #expect(try client.ask(#"{"op":"send","signal":"g.s","value":1,"id":1}"#).contains(#""code":"not_an_input""#))
  }

  @Test func `fail and complete as the adapter reports, and are restarted by retry`() throws {
    let daemon = try HostKind.inProcess.start(
      Self.graph(", pipe: [{retry: {times: 1}}]"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.s")
    _ = try client.line()
    let failure =
      #"{"op":"send","signal":"g.s","event":"failed","error":{"code":"http","message":"503","status":503}}"#
    try adapter.client.say(#"{"op":"send","signal":"g.s","value":1,"position":"p7"}"#, failure)
    try adapter.client.expect(
      #"{"event":"declared","removed":["g.s"]}"#,
      #"{"event":"declared","added":[{"signal":"g.s","role":"source","kind":"http","connection":"api","settings":{"path":"/s","every":1},"position":"p7"}]}"#
    )
    try adapter.client.say(failure)
    try adapter.client.expect(#"{"event":"declared","removed":["g.s"]}"#)
    #expect(
      try adapter.client.ask(#"{"op":"send","signal":"g.s","value":1}"#).contains(#""code":"ended""#))
    try client.expect(
      #"{"event":"next","signal":"g.s","seq":1,"value":1}"#,
      #"{"event":"failed","signal":"g.s","error":{"code":"http","message":"503"}}"#)
    #expect(try client.ask("restart g.s").contains(#""reply":"restart""#))
    #expect(try adapter.client.line().contains(#""position":"p7""#))
    try adapter.client.say(#"{"op":"send","signal":"g.s","event":"completed","id":1}"#)
    try adapter.client.expect(
      #"{"event":"declared","removed":["g.s"]}"#, #"{"reply":"send","id":1,"signal":"g.s","seq":1}"#)
  }

  @Test(arguments: [
    ("", #"{"event":"next","signal":"g.s","seq":1,"value":2}"#),
    (
      ", on_error: emit",
      #"{"event":"next","signal":"g.s","seq":1,"value":{"error":{"code":"http","message":"no","status":503}}}"#
    ),
    (", on_error: fail", #"{"event":"failed","signal":"g.s","error":{"code":"http","message":"no"}}"#),
  ])
  func `continue after a poll that fails, unless the signal declares otherwise`(rest: String, told: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graph(rest), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.s")
    _ = try client.line()
    try adapter.client.say(
      #"{"op":"send","signal":"g.s","event":"failed","error":{"code":"http","message":"no","status":503}}"#,
      #"{"op":"send","signal":"g.s","value":2}"#)
    try client.expect(told)
  }

  @Test func `pass over messages that come again`() throws {
    let daemon = try HostKind.inProcess.start(Self.graph(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    for (message, sequence) in [("m1", "1"), ("m1", "null"), ("m2", "2")] {
      #expect(
        try adapter.client.ask(#"{"op":"send","signal":"g.s","value":0,"message_id":"\#(message)","id":1}"#)
          == #"{"reply":"send","id":1,"signal":"g.s","seq":\#(sequence)}"#)
    }
  }

  @Test func `are there for adapters while they run, lazy ones as long as a client listens`() throws {
    let daemon = try HostKind.inProcess.start(Self.graph(", lazy: true"), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    #expect(adapter.welcome.contains(#""declarations":[]"#))
    do {
      let client = try daemon.connect()
      try client.say("subscribe g.s")
      #expect(try adapter.client.line().hasPrefix(#"{"event":"declared","added":[{"signal":"g.s","#))
      try adapter.client.say(#"{"op":"send","signal":"g.s","value":5,"position":"p"}"#)
      _ = try client.line()
      try client.expect(#"{"event":"next","signal":"g.s","seq":1,"value":5}"#)
    }
    try adapter.client.expect(#"{"event":"declared","removed":["g.s"]}"#)
    let client = try daemon.connect()
    try client.say("subscribe g.s")
    #expect(try adapter.client.line().contains(#""position":"p""#))
  }

  @Test(arguments: HostKind.allCases)
  func `follow a reload`(kind: HostKind) throws {
    let daemon = try kind.start(Self.graph(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try daemon.folder.writeConfiguration(
      "g: {signals: {s: {http: {connection: api, path: /t, every: 1s}}, n: {http: {connection: api, events: true}}}}",
      server: Self.server)
    #expect(try client.ask("reload").contains(#""changed":["g.s"]"#))
    try adapter.client.expect(
      #"{"event":"declared","added":[{"signal":"g.n","role":"source","kind":"http","connection":"api","settings":{"path":"/","events":true}}],"changed":[{"signal":"g.s","role":"source","kind":"http","connection":"api","settings":{"path":"/t","every":1}}]}"#
    )
    try daemon.folder.writeConfiguration(
      "g: {signals: {s: {http: {connection: api, path: /t, every: 1s}}}}",
      server: #"{bridge: service, connections: {api: {http: "http://api:81"}}}"#)
    #expect(try client.ask("reload").contains(#""removed":["g.n"]"#))
    try adapter.client.expect(
      #"{"event":"declared","connections":[{"connection":"api","kind":"http","settings":{"url":"http://api:81","concurrent":4,"timeout":30,"limit":1048576}}],"removed":["g.n"]}"#
    )
  }

  @Test(arguments: HostKind.allCases)
  func `begin anew at their adapter with a signal that a reload has replaced`(kind: HostKind) throws {
    let daemon = try kind.start(Self.graph(), server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    _ = try adapter.client.ask(#"{"op":"send","id":1,"signal":"g.s","value":1}"#)
    try daemon.folder.writeConfiguration(Self.graph(", pipe: [{map: . + 1}]"), server: Self.server)
    #expect(try client.ask("reload").contains(#""changed":["g.s"]"#))
    try adapter.client.expect(
      #"{"event":"declared","changed":[{"signal":"g.s","role":"source","kind":"http","connection":"api","settings":{"path":"/s","every":1}}]}"#
    )
    try daemon.folder.writeConfiguration(
      Self.graph(", pipe: [{map: . + 1}]", beside: ", t: {input: {}}"), server: Self.server)
    #expect(try client.ask("reload").contains(#""added":["g.t"]"#))
    try adapter.client.expectNothing()
  }

  @Test func `of a retained topic give their position to an adapter only while their signal holds a value`() throws {
    let folder = TemporaryFolder()
    let graph = { (pipe: String) in "g: {durable: true, signals: {s: {mqtt: {connection: m, topic: t}\(pipe)}}}" }
    let server = "{bridge: service, state: \(folder("state")), connections: {m: {mqtt: 'mqtt://m'}}}"
    let path = try folder.writeConfiguration(graph(""), server: server)
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let first = try ScriptedAdapter(TestDaemon(host, folder: folder), kind: "mqtt")
    #expect(!first.welcome.contains("position"))
    _ = try first.client.ask(
      #"{"op":"send","id":1,"signal":"g.s","payload":"1","position":"p","details":{"retained":true}}"#)
    host.process.signal(SIGKILL)
    _ = try host.process.waitForExit()
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let second = try ScriptedAdapter(daemon, kind: "mqtt")
    #expect(second.welcome.contains(#""position":"p"}"#))
    let client = try daemon.connect()
    #expect(try client.ask("get g.s").contains(#""value":1"#))
    try folder.writeConfiguration(graph(", pipe: [{map: . + 1}]"), server: server)
    #expect(try client.ask("reload").contains(#""changed":["g.s"]"#))
    let change = try second.client.line()
    #expect(change.hasPrefix(#"{"event":"declared","changed":[{"signal":"g.s","#) && !change.contains("position"))
  }

  @Test(arguments: ["durable: true", "doc: ordinary"])
  func `that are polled ask anew for a signal that holds nothing after a reload`(kind: String) throws {
    let folder = TemporaryFolder()
    let graph = { (pipe: String) in
      "g: {\(kind), signals: {s: {http: {connection: api, path: /s, every: 1s}, hold: true, pipe: [\(pipe)]}}}"
    }
    let server = "{bridge: service, state: \(folder("state")), connections: {api: {http: 'http://a'}}}"
    let path = try folder.writeConfiguration(graph("{map: .}"), server: server)
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try ScriptedAdapter(daemon)
    _ = try adapter.client.ask(#"{"op":"send","id":1,"signal":"g.s","payload":"1","position":"p"}"#)
    try folder.writeConfiguration(graph("{map: . + 1}"), server: server)
    #expect(try daemon.connect().ask("reload").contains(#""changed":["g.s"]"#))
    let change = try adapter.client.line()
    #expect(change.hasPrefix(#"{"event":"declared","changed":[{"signal":"g.s","#) && !change.contains("position"))
  }

  @Test(arguments: [(", on_error: emit", true), (", on_error: drop", false), (", on_error: fail", false), ("", false)])
  func `that are polled have to repeat an unchanged value only after an error that was emitted`(
    onError: String, isRepeated: Bool
  ) throws {
    let daemon = try HostKind.inProcess.start(Self.graph(onError), server: Self.server)
    #expect(try ScriptedAdapter(daemon).welcome.contains(#""repeat":true"#) == isRepeated)
  }

  private static let durable = """
    g:
      durable: true
      signals:
        s: {http: {connection: api, path: /s, events: true}}
        sum: {from: s, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
    """

  @Test func `of durable graphs are answered once their value and position are kept, and resume from there`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.durable, server: "{bridge: service, state: \(folder("state")), connections: {api: {http: 'http://api'}}}")
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let adapter = try ScriptedAdapter(TestDaemon(host, folder: folder))
    #expect(!adapter.welcome.contains("position"))
    for number in 1...3 {
      #expect(
        try adapter.client.ask(
          #"{"op":"send","signal":"g.s","value":\#(number),"position":"p\#(number)","message_id":"m\#(number)","id":1}"#
        ) == #"{"reply":"send","id":1,"signal":"g.s","seq":\#(number)}"#)
    }
    host.process.signal(SIGKILL)
    _ = try host.process.waitForExit()
    let again = try ProgramHost(configuration: path, socket: folder("s"))
    let second = try ScriptedAdapter(TestDaemon(again, folder: folder))
    #expect(second.welcome.contains(#""position":"p3"}"#))
    #expect(
      try second.client.ask(#"{"op":"send","signal":"g.s","value":3,"position":"p3","message_id":"m3","id":1}"#)
        == #"{"reply":"send","id":1,"signal":"g.s","seq":null}"#)
    #expect(try second.client.ask("get g.sum").contains(#""value":6"#))
  }

  @Test(arguments: HostKind.allCases, [false, true])
  func `show their last failure in list, describe, stats and metrics`(kind: HostKind, durable: Bool) throws {
    let folder = TemporaryFolder()
    let state = durable ? "state: \(folder("state")), " : ""
    let daemon = try kind.start(
      """
      g:
      \(durable ? "  durable: true" : "  doc: ordinary")
        signals:
          s: {http: {connection: api, path: /s, every: 1s}}
      """, server: "{bridge: service, \(state)connections: {api: {http: 'http://api'}}}")
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    #expect(!(try client.ask("list g.s").contains("failure")))
    _ = try adapter.client.ask(
      #"{"op":"send","id":1,"signal":"g.s","event":"failed","error":{"code":"http","message":"503","status":503}}"#)
    for request in ["list g.s", "describe g.s", "stats"] {
      let answer = try client.ask(request)
      #expect(answer.contains(#""failure":{"code":"http","message":"503","status":503,"age":"#), "\(answer)")
    }
    // It works again, with or without a value.
    for line in [
      #"{"op":"report","id":2,"signal":"g.s","state":"connected"}"#, #"{"op":"send","id":2,"signal":"g.s","value":1}"#,
    ] {
      #expect(!(try adapter.client.ask(line).contains("error")))
      #expect(!(try client.ask("list g.s").contains("failure")))
      _ = try adapter.client.ask(
        #"{"op":"send","id":1,"signal":"g.s","event":"failed","error":{"code":"http","message":"503","status":503}}"#)
      #expect(try client.ask("list g.s").contains("failure"))
    }
    let away = #"{"op":"report","id":3,"signal":"g.s","state":"away"}"#
    #expect(try adapter.client.ask(away).contains(#""code":"bad_request""#))
  }
}
