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
}
