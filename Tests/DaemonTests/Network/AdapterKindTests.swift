import Foundation
import TestSupport
import Testing

/// Adapters of kinds that the configuration names and the daemon does not know.
@Suite struct `Adapters of other kinds` {
  private static let server =
    #"{bridge: service, connections: {plant: {adapter: modbus, settings: {host: h}}, api: {http: 'http://api'}}}"#

  private static func graphs(durable: Bool = false) -> String {
    #"""
    g:
    \#(durable ? "  durable: true" : "  doc: ordinary")
      signals:
        flow: {adapter: {connection: plant, settings: {register: 7}, as: message}}
        in: {input: {}, publish: {adapter: {connection: plant, topic: '8', settings: {slow: true}}}}
        out: {from: in, pipe: [{call: set}]}
      actions:
        set: {adapter: {connection: plant, request: '{register: .at}', settings: {safe: true}}}
    """#
  }

  @Test(arguments: HostKind.allCases)
  func `receive what there is when they attach`(kind: HostKind) throws {
    let adapter = try ScriptedAdapter(try kind.start(Self.graphs(), server: Self.server), kind: "modbus")
    #expect(
      adapter.welcome
        == #"{"reply":"attach","id":"a","connections":[{"connection":"plant","kind":"modbus","settings":{"host":"h","window":64,"limit":1048576}}],"declarations":[{"signal":"g.flow","role":"source","kind":"modbus","connection":"plant","settings":{"register":7,"as":"message"}},{"signal":"g.set","role":"action","kind":"modbus","connection":"plant","settings":{"safe":true}},{"signal":"g.in.published","role":"sink","kind":"modbus","connection":"plant","settings":{"slow":true,"topic":"8"}}],"line":2162688}"#
    )
  }

  @Test(arguments: [false, true])
  func `feed sources, and carry out calls and messages`(durable: Bool) throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.graphs(durable: durable), server: "{state: \(folder("state")), " + Self.server.dropFirst())
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let adapter = try ScriptedAdapter(daemon, kind: "modbus")
    try adapter.report("plant")
    let client = try daemon.connect()
    try client.say("subscribe g.flow", "subscribe g.out")
    _ = try client.lines(2)
    #expect(
      try adapter.client.ask(
        #"{"op":"send","id":1,"signal":"g.flow","payload":"4","details":{"quality":"good"},"position":"p1"}"#
      ).hasPrefix(#"{"reply":"send","id":1"#))
    try client.expect(#"{"event":"next","signal":"g.flow","seq":1,"value":{"quality":"good","payload":4}}"#)
    try client.say(#"send g.in {"at":9}"#)
    let tasks = [try adapter.task(), try adapter.task()]
    let call = try #require(tasks.first { $0.line.contains(#""role":"action""#) })
    let message = try #require(tasks.first { $0.line.contains(#""role":"sink""#) })
    #expect(call.line.contains(#""connection":"plant","value":{"at":9},"request":{"register":9},"attempt":1"#))
    #expect(message.line.contains(#""request":{"topic":"8","payload":"{\"at\":9}","slow":true}"#))
    try adapter.finish(message)
    try adapter.finish(call, #","value":"done""#)
    try client.expect(#"{"event":"next","signal":"g.out","seq":1,"value":"done"}"#)
  }

  @Test func `are those that connections name, one for each kind`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(), server: Self.server)
    let client = try daemon.connect()
    #expect(
      try client.ask(#"{"op":"attach","kinds":["modbux"]}"#).contains(#"did you mean \"modbus\"?"#))
    #expect(
      try client.ask(#"{"op":"attach","kinds":["adapter"]}"#).contains("there are http, mqtt, nats, modbus"))
    let adapter = try ScriptedAdapter(daemon, kind: "modbus")
    #expect(try ScriptedAdapter(daemon, kind: "modbus").welcome.contains(#""code":"busy""#))
    #expect(try ScriptedAdapter(daemon, kind: "http").welcome.contains(#""signal":"g."#) == false)
    try adapter.client.expectNothing()
  }

  /// A configuration with one signal, whose adapter's kind is given.
  private static func server(_ folder: TemporaryFolder, kind: String = "modbus") -> String {
    "{bridge: service, state: \(folder("state")), connections: {plant: {adapter: \(kind)}}}"
  }

  private static func graph(_ flow: String) -> String { "g: {durable: true, signals: {flow: {\(flow), hold: true}}}" }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a signal that a reload moves to the network is kept with its position`(signal: Int32) throws {
    let folder = TemporaryFolder()
    let source = Self.graph("adapter: {connection: plant}")
    let path = try folder.writeConfiguration(Self.graph("input: {}"), server: Self.server(folder))
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let first = TestDaemon(host, folder: folder)
    let client = try first.connect()
    #expect(try client.ask(#"{"op":"send","signal":"g.flow","value":1,"id":1}"#).contains(#""seq":1"#))
    try folder.writeConfiguration(source, server: Self.server(folder))
    #expect(try client.ask("reload").contains(#""changed":["g.flow"]"#))
    let adapter = try ScriptedAdapter(first, kind: "modbus")
    #expect(
      try adapter.client.ask(#"{"op":"send","id":2,"signal":"g.flow","value":2,"position":"p2"}"#).contains(#""id":2"#))
    host.process.signal(signal)
    _ = try host.process.waitForExit()
    let second = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    #expect(try ScriptedAdapter(second, kind: "modbus").welcome.contains(#""position":"p2""#))
    #expect(try second.connect().ask("get g.flow").contains(#""value":2"#))
  }

  @Test(arguments: ["durable: true", "doc: ordinary"])
  func `what a reload reads from another peer begins there`(durable: String) throws {
    let folder = TemporaryFolder()
    func graph(_ source: String) -> String {
      "g: {\(durable), signals: {flow: {adapter: {connection: plant, \(source)}}}}"
    }
    let path = try folder.writeConfiguration(graph("settings: {a: 1}"), server: Self.server(folder))
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let client = try daemon.connect()
    let modbus = try ScriptedAdapter(daemon, kind: "modbus")
    func declared() throws -> String {
      try client.ask(#"{"op":"attach","id":1,"kinds":["modbus"],"check":true}"#)
    }
    func send() throws {
      let line = #"{"op":"send","id":2,"signal":"g.flow","value":2,"position":"p2"}"#
      #expect(try modbus.client.ask(line).contains(#""reply":"send""#))
    }
    try send()
    try folder.writeConfiguration(graph("settings: {a: 1}, as: message"), server: Self.server(folder))
    #expect(try client.ask("reload").contains(#""changed":["g.flow"]"#))
    #expect(try modbus.client.line().contains(#""event":"declared""#))
    #expect(try declared().contains(#""position":"p2""#))
    try folder.writeConfiguration(graph("settings: {a: 2}"), server: Self.server(folder))
    #expect(try client.ask("reload").contains(#""changed":["g.flow"]"#))
    #expect(try modbus.client.line().contains(#""settings":{"a":2}"#))
    #expect(!(try declared().contains("position")))
    try send()
    try folder.writeConfiguration(graph("settings: {a: 2}"), server: Self.server(folder, kind: "knx"))
    #expect(try client.ask("reload").contains(#""changed":["g.flow"]"#))
    let knx = try ScriptedAdapter(daemon, kind: "knx")
    #expect(knx.welcome.contains(#""signal":"g.flow","role":"source","kind":"knx""#))
    #expect(!knx.welcome.contains("position"))
    try modbus.client.expect(#"{"event":"declared","connections":[],"removed":["g.flow"]}"#)
  }

  @Test func `that have a task keep the count of the next kind right`() throws {
    let folder = TemporaryFolder()
    let graph =
      "g: {signals: {in: {input: {}}, out: {from: in, pipe: [{call: set}]}}, actions: {set: {adapter: {connection: plant}}}}"
    let path = try folder.writeConfiguration(graph, server: Self.server(folder))
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let client = try daemon.connect()
    let modbus = try ScriptedAdapter(daemon, kind: "modbus")
    try client.say("send g.in 1")
    _ = try modbus.task()
    try folder.writeConfiguration(graph, server: Self.server(folder, kind: "knx"))
    #expect(try client.ask("reload").contains(#""reply":"reload""#))
    #expect(try client.ask("stats").contains(#""given":0"#))
  }

  @Test func `have the secrets in settings hidden from messages`() throws {
    let folder = TemporaryFolder()
    try "hunter2secret".write(toFile: folder("pin"), atomically: true, encoding: .utf8)
    let graph = "g: {signals: {flow: {adapter: {connection: plant, settings: {pin: '${file:\(folder("pin"))}'}}}}}"
    let path = try folder.writeConfiguration(graph, server: Self.server(folder))
    let daemon = TestDaemon(try ProgramHost(configuration: path, socket: folder("s")), folder: folder)
    let client = try daemon.connect()
    try client.say("subscribe signalbox.connections")
    _ = try client.line()
    let adapter = try ScriptedAdapter(daemon, kind: "modbus")
    #expect(adapter.welcome.contains("hunter2secret"))
    try adapter.report("plant")
    #expect(try client.line().contains(#""state":"connected""#))
    try adapter.client.say(
      #"{"op":"report","connection":"plant","state":"away","reason":"no hunter2secret here"}"#)
    #expect(try client.line().contains(#""reason":"no … here""#))
  }
}
