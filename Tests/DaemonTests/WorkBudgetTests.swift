import Testing

private let graphs = "g: {signals: {a: {input: {}}, kept: {input: {}, replay: 40}}}"

/// Conditions that cost more than the budget of their user.
@Suite struct `A budget of work` {
  private static let count = 30
  /// A condition that writes it takes a good part of its 1,000 steps.
  private let large = "\"" + String(repeating: "x", count: 5_000) + "\""

  private func subscribe(_ client: TestClient, _ signal: String = "g.a", label: Int, where condition: String) throws {
    try client.say(
      #"{"op":"subscribe","signal":"\#(signal)","subscription":"\#(label)","where":"\#(condition)"}"#)
  }

  @Test(arguments: HostKind.allCases)
  func `lets some conditions inspect a value, and reports it as missing to the other subscriptions`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (listener, sender) = (try daemon.connect(), try daemon.connect())
    for label in 1...Self.count {
      try subscribe(listener, label: label, where: "(tojson | length) < \(label + 10)")
      _ = try listener.line()
    }
    try sender.say("send g.a \(large)", "send g.a 1")
    _ = try sender.ask("ping")
    try listener.say("ping")
    let lines = try listener.lines(upTo: #"{"reply":"ping"}"#)
    let missed = lines.count { $0.contains(#""event":"lagged""#) && $0.contains(#""dropped":1"#) }
    #expect(missed > 0 && missed < Self.count)
    // The next value begins with a whole budget.
    #expect(lines.count { $0.contains(#""seq":2,"value":1}"#) } == Self.count)
    #expect(lines.count == missed + Self.count)
  }

  @Test(arguments: HostKind.allCases) func `covers cheap conditions of many subscriptions`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let (listener, sender) = (try daemon.connect(), try daemon.connect())
    for label in 1...300 {
      try subscribe(listener, label: label, where: ". > \(label - 1)")
      _ = try listener.line()
    }
    try sender.say("send g.a 1000")
    for _ in 1...300 { #expect(try listener.line().contains(#""seq":1,"value":1000}"#)) }
  }

  @Test(arguments: HostKind.allCases) func `covers 40 MB of events of a value, and reports the others as missing`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 60MiB}}")
    let (listener, sender) = (try daemon.connect(), try daemon.connect())
    for label in 1...260 {
      try listener.say(#"{"op":"subscribe","signal":"g.a","subscription":"\#(label)"}"#)
      _ = try listener.line()
    }
    try sender.say("send g.a \"\(String(repeating: "x", count: 200_000))\"")
    _ = try sender.ask("ping")
    try listener.say("ping")
    let lines = try listener.lines(upTo: #"{"reply":"ping"}"#)
    let missed = lines.count { $0.contains(#""event":"lagged""#) && $0.contains(#""dropped":1"#) }
    #expect(lines.count == 260)
    #expect(195...205 ~= lines.count - missed)
  }

  @Test(arguments: HostKind.allCases) func `covers the newest of retained values, and reports the older ones`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 16MiB}}")
    let (listener, sender) = (try daemon.connect(), try daemon.connect())
    for _ in 1...Self.count { try sender.say("send g.kept \(large)") }
    _ = try sender.ask("ping")
    try subscribe(listener, "g.kept", label: 1, where: "(tojson | length) > 1")
    #expect(try listener.line().contains(#""reply":"subscribe""#))
    let lagged = try listener.line()
    let missed = try #require(lagged.firstMatch(of: /"event":"lagged".*"dropped":(\d+)/).flatMap { Int($0.1) })
    #expect(missed > 0 && missed < Self.count)
    for number in missed + 1...Self.count { #expect(try listener.line().contains(#""seq":\#(number),"#)) }
  }
}
