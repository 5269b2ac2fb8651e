import Testing

private let graphs = "g: {signals: {a: {input: {}}}}"

@Suite struct `Limits` {
  @Test(
    arguments: HostKind.allCases,
    [("{limits: {connections: 2}}", "connections"), ("{limits: {user: {connections: 2}}}", "user.connections")])
  func `a connection too many gets one error and is closed`(
    kind: HostKind, limit: (server: String, name: String)
  ) throws {
    let daemon = try kind.start(graphs, server: limit.server)
    let (first, second) = (try daemon.connect(), try daemon.connect())
    try first.expectNothing()
    try second.expectNothing()
    let third = try daemon.connect()
    let error = try third.line()
    #expect(error.hasPrefix(#"{"reply":"error","error":{"code":"too_many","#) && error.contains("limits.\(limit.name)"))
    try third.expectEnd()
    try first.finish()
    try first.expectEnd()
    try daemon.connect().expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `subscriptions are charged, and one too many is refused`(kind: HostKind)
    throws
  {
    let client = try kind.start(graphs, server: "{limits: {output: 4KiB}}").connect()
    var refusal = ""
    for number in 1...100 where refusal.isEmpty {
      let answer = try client.ask(#"{"op":"subscribe","signal":"g.a","subscription":"\#(number)"}"#)
      if !answer.hasPrefix(#"{"reply":"subscribe""#) { refusal = answer }
    }
    #expect(refusal.contains(#""code":"too_many""#))
    #expect(try client.ask(#"{"op":"unsubscribe","subscription":"1"}"#) == #"{"reply":"unsubscribe"}"#)
    #expect(try client.ask("subscribe g.a").hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test(arguments: HostKind.allCases) func `past the memory of all, the client that holds most is disconnected`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 1MiB, memory: 200KiB}}")
    let (slow, quick, sender) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    for client in [slow, quick] {
      try client.say("subscribe g.a")
      _ = try client.line()
    }
    for start in stride(from: 1, to: 20_000, by: 500) {
      try sender.send(start..<(start + 500), to: "g.a")
      for number in start..<(start + 500) {
        try quick.expect(#"{"event":"next","signal":"g.a","seq":\#(number),"value":\#(number)}"#)
      }
    }
    while !slow.hasEnded { _ = try? slow.line() }
    try quick.expectNothing()
  }
}
