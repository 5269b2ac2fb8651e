import Glibc
import Testing

private let graphs = """
  g:
    signals:
      in: {input: {}}
      out: {from: in, pipe: [{map: .a.b}]}
  """

@Suite struct `The daemon's own signals` {
  @Test(arguments: HostKind.allCases) func `errors emits each value that an expression refused`(kind: HostKind)
    throws
  {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe signalbox.errors", "send g.in {\"a\":7}")
    _ = try client.line()
    let event = try client.line()
    #expect(
      event.hasPrefix(
        #"{"event":"next","signal":"signalbox.errors","seq":1,"value":{"signal":"g.out","operator":"map","value":{"a":7},"code":"bad_value","message":"#
      ), "\(event)")
  }

  @Test(arguments: HostKind.allCases) func `reload emits each verdict, and each refusal`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe signalbox.reload")
    _ = try other.ask("reload")
    try client.expect(
      #"{"event":"next","signal":"signalbox.reload","seq":1,"value":{"generation":2,"kept":["g.in","g.out"],"changed":[],"added":[],"removed":[],"needs_restart":[]}}"#
    )
    try daemon.folder.writeConfiguration("g: {signals: {in: {inptu: {}}}}")
    _ = try other.ask("reload")
    #expect(
      try client.line().hasPrefix(
        #"{"event":"next","signal":"signalbox.reload","seq":2,"value":{"generation":2,"errors":[{"severity":"error","#))
    // Without an error in the file, but without a folder for the state.
    try daemon.folder.writeConfiguration(
      "g: {durable: true, signals: {in: {input: {}}}}", server: "{limits: {depth: 32}}")
    for request in [#"{"op":"reload","dry_run":true}"#, "reload"] {
      let refusal = try other.ask(request)
      #expect(refusal.contains(#""code":"bad_config""#) && refusal.contains("no state folder"), "\(refusal)")
    }
    #expect(
      try client.line().hasPrefix(
        #"{"event":"next","signal":"signalbox.reload","seq":3,"value":{"generation":2,"errors":[{"severity":"error","message":"graph \"g\" is durable"#
      ))
  }

  @Test(arguments: HostKind.allCases) func `clients emits which client comes, lags or goes`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 20KiB}}")
    let client = try daemon.connect()
    #expect(try client.ask("subscribe signalbox.clients").contains(#""seq":1"#))
    do {
      let slow = try daemon.connect()
      try client.expect(Self.event(2, 2, "connected"))
      _ = try slow.ask("subscribe g.in")
      try client.send(1..<10_001, to: "g.in")
      try client.expect(Self.event(3, 2, "lagging"))
    }
    try client.expect(Self.event(4, 2, "gone"))
    try client.expectNothing()
  }

  private static func event(_ sequence: Int, _ client: Int, _ event: String) -> String {
    #"{"event":"next","signal":"signalbox.clients","seq":\#(sequence),"value":{"client":\#(client),"event":"\#(event)","uid":\#(geteuid())}}"#
  }

  @Test(arguments: HostKind.allCases) func `only a pattern that names the graph gets them`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    #expect(!(try client.ask("subscribe *.*").contains("signalbox.")))
    #expect(!(try client.ask("list *.errors").contains("signalbox.")))
    #expect(try client.ask("list").contains(#""signal":"signalbox.errors","kind":"source","send":false"#))
    #expect(try client.ask("subscribe signalbox.*").ranges(of: "signalbox.").count == 6)
    #expect(try client.ask("send signalbox.errors 1").contains(#""code":"not_an_input""#))
    #expect(try client.ask("describe signalbox").contains(#""signal":"signalbox.reload""#))
  }
}
