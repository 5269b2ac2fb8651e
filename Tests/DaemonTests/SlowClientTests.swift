import Testing

private let graphs = """
  g:
    signals:
      a: {input: {endable: true}}
      b: {input: {}}
      many: {input: {}, replay: 5000}
  """

@Suite struct `A slow client` {
  /// Sends values while the client does not read, then has it read everything up to a ping's answer.
  private func lines(
    _ kind: HostKind, _ subscribe: String..., sending count: Int = 20_000, to signals: [String] = ["g.a"]
  ) throws -> [String] {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(subscribe.joined(separator: "\n"))
    _ = try client.lines(subscribe.count)
    for start in stride(from: 1, through: count, by: 100) {
      for signal in signals { try sender.send(start..<(start + 100), to: signal) }
    }
    try sender.expectNothing()
    try client.say("ping")
    return try client.lines(upTo: #"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `drop_oldest keeps the newest and counts the rest where they are missing`(
    kind: HostKind
  ) throws {
    let story = Story(try lines(kind, "subscribe g.a"), of: "g.a")
    #expect(story.isExact)
    #expect(story.dropped > 0)
    #expect(UInt64(story.numbers.count) + story.dropped == 20_000)
    #expect(story.numbers.last == 20_000)
  }

  @Test(arguments: HostKind.allCases) func `drop_newest keeps the oldest and counts the rest at the end`(
    kind: HostKind
  ) throws {
    let lines = try lines(kind, #"{"op":"subscribe","signal":"g.a","overflow":"drop_newest"}"#)
    let story = Story(lines, of: "g.a")
    #expect(story.isExact)
    #expect(UInt64(story.numbers.count) + story.dropped == 20_000)
    #expect(story.numbers == Array(1...UInt64(story.numbers.count)))
    #expect(lines.last?.contains(#""event":"lagged""#) == true)
  }

  @Test(arguments: HostKind.allCases) func `latest keeps the newest value of each signal`(kind: HostKind) throws {
    let lines = try lines(
      kind, #"{"op":"subscribe","signal":"g.*","overflow":"latest"}"#, sending: 10_000, to: ["g.a", "g.b"])
    for signal in ["g.a", "g.b"] {
      let story = Story(lines, of: signal)
      #expect(story.isExact)
      #expect(UInt64(story.numbers.count) + story.dropped == 10_000)
      #expect(story.numbers.last == 10_000)
    }
  }

  @Test(arguments: HostKind.allCases)
  func `delays no calls, and receives what it has missed of their outputs as a count`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(
      """
      g:
        signals:
          in: {input: {}}
          out: {from: in, pipe: [{call: count}]}
          all: {from: out, pipe: [{scan: {initial: 0, next: $state + 1}}, {filter: . == 20000}]}
        actions: {count: {exec: [seq, "10000"], format: json}}
      """, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.out")
    _ = try client.line()
    try sender.say("subscribe g.all", "send g.in 1", "send g.in 2")
    _ = try sender.lines(upTo: #"{"event":"next","signal":"g.all","seq":1,"value":20000}"#)
    try client.say("ping")
    let story = Story(try client.lines(upTo: #"{"reply":"ping"}"#), of: "g.out")
    #expect(story.isExact && story.dropped > 0)
    #expect(UInt64(story.numbers.count) + story.dropped == 20_000 && story.numbers.last == 20_000)
  }

  @Test(arguments: HostKind.allCases) func `the subscription that holds most loses values`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.b", "subscribe g.a")
    _ = try client.lines(2)
    for number in 1...20 {
      try sender.send((number * 1000 - 999)..<(number * 1000 + 1), to: "g.a")
      try sender.say("send g.b \(number)")
    }
    try sender.expectNothing()
    try client.say("ping")
    let lines = try client.lines(upTo: #"{"reply":"ping"}"#)
    let (rare, frequent) = (Story(lines, of: "g.b"), Story(lines, of: "g.a"))
    #expect(rare.numbers == Array(1...20) && rare.dropped == 0)
    #expect(frequent.isExact && UInt64(frequent.numbers.count) + frequent.dropped == 20_000)
  }

  @Test(arguments: HostKind.allCases, ["drop_oldest", "drop_newest", "latest"])
  func `take counts what is delivered, not what was lost`(kind: HostKind, overflow: String) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.a","take":15000,"overflow":"\#(overflow)"}"#)
    _ = try client.line()
    try sender.send(1..<20_001, to: "g.a")
    var lines: [String] = []
    var next = 20_001
    repeat {
      try sender.expectNothing()
      try client.say("ping")
      lines += try client.lines(upTo: #"{"reply":"ping"}"#)
      try sender.send(next..<next + 100, to: "g.a")
      next += 100
    } while lines.last?.contains("ended") == false
    let story = Story(lines, of: "g.a")
    #expect(story.isExact && story.dropped > 0 && story.numbers.count == 15_000)
    #expect(lines.last == #"{"event":"ended","signal":"g.a","reason":"take"}"#)
  }

  @Test(arguments: HostKind.allCases) func `disconnect interrupts with slow and closes`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.a","overflow":"disconnect"}"#)
    _ = try client.line()
    try sender.send(1..<20_001, to: "g.a")
    try sender.expectNothing()
    let lines = try client.lines(upTo: #"{"event":"interrupted","reason":"slow"}"#)
    #expect(Story(lines, of: "g.a").isExact)
    try client.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `endings and replies are never dropped`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.a")
    _ = try client.line()
    try sender.send(1..<20_001, to: "g.a")
    try sender.say(#"{"op":"send","id":1,"signal":"g.a","event":"completed"}"#)
    _ = try sender.line()
    let lines = try client.lines(upTo: #"{"event":"completed","signal":"g.a"}"#)
    let story = Story(lines, of: "g.a")
    #expect(story.isExact && UInt64(story.numbers.count) + story.dropped == 20_000)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `a client over its budget is not read until it reads`(kind: HostKind) throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {output: 50KiB}}")
    let client = try daemon.connect()
    let count = 3000
    try client.write((1...count).map { #"{"op":"describe","id":\#($0),"graph":"g"}"# + "\n" }.joined())
    for id in 1...count { #expect(try client.line().hasPrefix(#"{"reply":"describe","id":\#(id),"#)) }
  }

  @Test(arguments: HostKind.allCases) func `what waits for a client that goes is carried out all the same`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 50KiB}}")
    let watcher = try daemon.connect()
    try watcher.say("subscribe g.b")
    _ = try watcher.line()
    do {
      let client = try daemon.connect()
      try client.write((1...1000).map { #"{"op":"describe","id":\#($0),"graph":"g"}"# + "\n" }.joined())
      try client.say("send g.b 1")
    }
    try watcher.expect(#"{"event":"next","signal":"g.b","seq":1,"value":1}"#)
    // The connection is gone, and the loop does not spin on it.
    try watcher.wait(forConnections: 1)
  }

  @Test(arguments: HostKind.allCases) func `retained values come as there is room, before live ones`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {output: 100KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    let text = String(repeating: "x", count: 100)
    try sender.send(1..<5001, to: "g.many") { #"["\#(text)",\#($0)]"# }
    try sender.expectNothing()
    try client.say("subscribe g.many")
    _ = try client.line()
    try sender.send(5001..<5101, to: "g.many") { #"["\#(text)",\#($0)]"# }
    try sender.expectNothing()
    for number in 1...5100 {
      try client.expect(#"{"event":"next","signal":"g.many","seq":\#(number),"value":["\#(text)",\#(number)]}"#)
    }
  }

  @Test(arguments: HostKind.allCases, ["drop_oldest", "latest"])
  func `the newest value comes, however large those before it`(kind: HostKind, overflow: String) throws {
    let daemon = try kind.start(graphs)
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.a","overflow":"\#(overflow)"}"#)
    _ = try client.line()
    let value = String(repeating: "x", count: 900_000)
    for number in 1...4 { try sender.say(#"{"op":"send","signal":"g.a","value":"\#(number)\#(value)"}"#) }
    #expect(try sender.ask("ping") == #"{"reply":"ping"}"#)
    try client.expect(
      #"{"event":"next","signal":"g.a","seq":1,"value":"1\#(value)"}"#,
      #"{"event":"lagged","signal":"g.a","dropped":2}"#,
      #"{"event":"next","signal":"g.a","seq":4,"value":"4\#(value)"}"#)
  }

  @Test(arguments: HostKind.allCases) func `an event larger than the budget passes an empty queue`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {output: 10KiB}}")
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.a")
    _ = try client.line()
    let value = String(repeating: "x", count: 900_000)
    try sender.say(#"{"op":"send","signal":"g.a","value":"\#(value)"}"#)
    try client.expect(#"{"event":"next","signal":"g.a","seq":1,"value":"\#(value)"}"#)
  }
}
