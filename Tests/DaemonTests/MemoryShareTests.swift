import Testing

private let graphs = "g: {signals: {a: {input: {}, replay: 10}, b: {input: {}}}}"

/// The memory of a user, used up by clients that do not read.
@Suite struct `The memory of a user` {
  @Test(arguments: HostKind.allCases) func `is given up by the largest queues, and refuses no subscription`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 400KiB, user: {memory: 600KiB}}}")
    let (sender, reader) = (try daemon.connect(), try daemon.connect())
    let stalled = try (0..<4).map { _ in try daemon.connect() }
    for client in stalled { _ = try client.ask("subscribe g.a") }
    let text = String(repeating: "x", count: 2000)
    for round in 0..<10 {
      for number in 1...150 { try sender.say(#"send g.a ["\#(text)",\#(round * 150 + number)]"#) }
      _ = try sender.ask("ping")
      let other = try daemon.connect()
      #expect(try other.ask("subscribe g.b").contains(#""reply":"subscribe""#))
    }
    _ = try reader.ask("subscribe g.b")
    try sender.say("send g.b 1")
    #expect(try reader.line().contains(#""signal":"g.b","seq":1"#))
    for client in stalled {
      try client.say("ping")
      let story = Story(try client.lines(upTo: #"{"reply":"ping"}"#), of: "g.a")
      #expect(story.isExact && story.dropped > 0 && story.numbers.last == 1500)
      #expect(UInt64(story.numbers.count) + story.dropped == 1500)
    }
  }
}
