import Testing

private let graphs = """
  g:
    signals:
      in: {input: {endable: true}}
      other: {input: {}}
      out: {from: in, pipe: [{map: .}], backpressure: true}
      plain: {from: in}
      ticks: {interval: 1ms, pipe: [{map: '"x" * 5000'}], backpressure: true}
  """

@Suite struct `Backpressure` {
  private static let subscribe = #"{"op":"subscribe","signal":"g.out","overflow":"block"}"#

  private static let server = "{limits: {output: 100KiB}}"

  private func start(_ kind: HostKind) throws -> TestDaemon {
    try kind.start(graphs, server: Self.server)
  }

  /// Sends more than the limit admits; returns the number of lines, and the part that was not accepted.
  private func flood(_ sender: TestClient) throws -> (count: Int, rest: String) {
    let count = 20_000
    let lines = (1...count).map { #"{"op":"send","signal":"g.in","value":\#($0)}"# + "\n" }.joined()
    let rest = try sender.offer(lines)
    #expect(rest.utf8.count > lines.utf8.count / 10)
    return (count, rest)
  }

  @Test(arguments: HostKind.allCases) func `senders wait for a blocking subscriber, which misses nothing`(
    kind: HostKind
  ) throws {
    let daemon = try start(kind)
    let (slow, quick, sender) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    _ = try slow.ask(Self.subscribe)
    _ = try quick.ask("subscribe g.plain")
    let (count, rest) = try flood(sender)
    // Another client is served meanwhile.
    #expect(try quick.ask("ping").contains("g.plain"))
    var unsent = rest
    for number in 1...count {
      if number % 100 == 0 { unsent = try sender.offer(unsent, patience: 1) }
      try slow.expect(#"{"event":"next","signal":"g.out","seq":\#(number),"value":\#(number)}"#)
    }
    try slow.expectNothing()
    try sender.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `when the blocking subscriber goes, its senders continue`(kind: HostKind)
    throws
  {
    let daemon = try start(kind)
    let sender = try daemon.connect()
    var rest = ""
    do {
      let slow = try daemon.connect()
      _ = try slow.ask(Self.subscribe)
      rest = try flood(sender).rest
    }
    try sender.write(rest)
    try sender.expectNothing()
  }

  @Test(arguments: HostKind.allCases, ["take", "unsubscribe", "removed", "plain"])
  func `when a subscription that blocks is over, its senders continue`(kind: HostKind, end: String) throws {
    let daemon = try start(kind)
    let (slow, sender, other) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    let take = end == "take" ? #", "take":15000"# : ""
    _ = try slow.ask(#"{"op":"subscribe","signal":"g.out","overflow":"block"\#(take)}"#)
    let (count, whole) = try flood(sender)
    var rest = whole
    switch end {
    case "take":
      for number in 1... {
        if number % 100 == 0 { rest = try sender.offer(rest, patience: 1) }
        if try slow.line().contains("ended") { break }
      }
    case "unsubscribe":
      try slow.write("unsubscribe g.out\n")
      while !(try slow.line()).contains(#""reply":"unsubscribe""#) {}
    default:
      let without = graphs.replacing(", backpressure: true", with: "")
      try daemon.folder.writeConfiguration(
        end == "removed" ? without.replacing("out:", with: "away:") : without, server: Self.server)
      _ = try other.ask("reload")
      while end == "removed", !(try slow.line()).contains("interrupted") {}
    }
    try sender.write(rest)
    #expect(try sender.ask(#"{"op":"send","id":1,"signal":"g.in","value":0}"#).contains(#""seq":\#(count + 1)"#))
  }

  @Test(arguments: HostKind.allCases) func `a sender that goes while it waits has all it sent carried out`(
    kind: HostKind
  ) throws {
    let daemon = try start(kind)
    let slow = try daemon.connect()
    _ = try slow.ask(Self.subscribe)
    var count = 0
    do {
      let (all, rest) = try flood(try daemon.connect())
      count = all - rest.split(separator: "\n").count
    }
    for number in 1...count {
      try slow.expect(#"{"event":"next","signal":"g.out","seq":\#(number),"value":\#(number)}"#)
    }
    try slow.wait(forConnections: 1)
  }

  @Test(arguments: HostKind.allCases) func `a client that sends elsewhere does not wait`(kind: HostKind) throws {
    let daemon = try start(kind)
    let (slow, sender, other) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    _ = try slow.ask(Self.subscribe)
    _ = try flood(sender)
    #expect(try other.ask(#"{"op":"send","id":1,"signal":"g.other","value":1}"#).contains(#""seq":1"#))
    try other.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `a timer has no sender that could wait: it drops, and reports that`(
    kind: HostKind
  )
    throws
  {
    let daemon = try start(kind)
    let (slow, quick) = (try daemon.connect(), try daemon.connect())
    try slow.say(#"{"op":"subscribe","signal":"g.ticks","overflow":"block"}"#)
    var story = Story(after: try #require(try slow.line().number(behind: #""seq":"#)))
    try quick.say(#"{"op":"subscribe","signal":"g.ticks","take":200}"#)
    _ = try quick.lines(202)
    while story.dropped == 0 { story.read(try slow.line()) }
    story.read(try slow.line())
    #expect(story.isExact && story.numbers.count > 10)
  }

  @Test(
    arguments: HostKind.allCases,
    [
      #"{"op":"subscribe","signal":"g.in","overflow":"block"}"#,
      #"{"op":"subscribe","signal":"g.*","overflow":"block"}"#,
    ])
  func `block needs backpressure of every signal`(kind: HostKind, request: String) throws {
    let client = try start(kind).connect()
    let answer = try client.ask(request)
    #expect(answer.contains(#""code":"bad_request""#) && answer.contains("backpressure: true"))
  }
}
