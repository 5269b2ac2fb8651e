import JSON
import Linux
import Testing

private let graphs = """
  g:
    signals:
      in: {input: {endable: true}}
      fine: {from: in, pipe: [{map: .n}], on_error: fail, hold: true}
      next: {from: fine, pipe: [{map: . + 1}]}
      third: {merge: [next]}
      hidden: {from: fine, private: true}
      behind: {from: hidden}
      other: {from: in, pipe: [{catch: {value: 0}}]}
  """

@Suite struct `A signal that has ended` {
  private static let error = #""error":{"code":"bad_value","message":"#

  @Test(arguments: HostKind.allCases) func `is reported everywhere: how, why and when`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    let before = WallTime.now()
    try client.say(#"send g.in {"n":1}"#, "send g.in 2")
    let listed = try client.ask("list g.fine")
    #expect(listed.contains(#""held":true,"ended":{"event":"failed",\#(Self.error)"#), "\(listed)")
    let time = try #require(listed.text(behind: #""at":""#))
    #expect(before.text <= time && time <= WallTime.now().text)
    let described = try client.ask("describe g.next")
    #expect(
      described.contains(#""dropped":0,"at":""#) && described.contains(#""ended":{"event":"failed""#), "\(described)")
    #expect(try client.ask("get g.fine").hasPrefix(#"{"reply":"get","signal":"g.fine","seq":1,"value":1,"ended":{"#))
    #expect(try client.ask("get g.next").contains("holds no value, and has failed: "))
    let stats = try client.ask("stats")
    #expect(stats.contains(#""ended":5,"failed":5"#))
    #expect(stats.contains(#""ended":{"event":"failed",\#(Self.error)"#))
    try client.say(#"{"op":"subscribe","signal":"g.fine","timestamps":true}"#)
    let ended = try #require(listed.ranges(of: #""at":""#).last.map { listed[$0.upperBound...].prefix { $0 != "\"" } })
    let lines = try client.lines(3)
    #expect(lines[2].hasSuffix(#""at":"\#(ended)"}"#), "\(lines) \(listed)")
    try client.say("restart g")
    #expect(try client.line() == #"{"reply":"restart"}"#)
    #expect(!(try client.ask("list g.*").contains("ended")))
    #expect(try client.ask("stats").contains(#""ended":0,"failed":0"#))
  }

  @Test(arguments: HostKind.allCases) func `is reported on the daemon's own signal, with the one that it ended for`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    _ = try client.ask("subscribe signalbox.ended")
    try client.say("send g.in 2")
    let told = try (0..<4).map { _ in try client.line() }
    func event(_ sequence: Int, _ signal: String, _ cause: String?) -> Bool {
      let line = told[sequence - 1]
      let begin =
        #"{"event":"next","signal":"signalbox.ended","seq":\#(sequence),"value":{"signal":"\#(signal)","event":"failed","#
      return line.hasPrefix(begin + Self.error) && line.text(behind: #""because":""#) == cause
    }
    #expect(event(1, "g.fine", nil), "\(told)")
    #expect(event(2, "g.next", "g.fine"), "\(told)")
    #expect(event(3, "g.behind", nil), "\(told)")
    #expect(event(4, "g.third", "g.next"), "\(told)")
    try client.say(#"{"op":"send","signal":"g.in","event":"completed"}"#)
    try client.expect(
      #"{"event":"next","signal":"signalbox.ended","seq":5,"value":{"signal":"g.in","event":"completed"}}"#)
    try client.expect(
      #"{"event":"next","signal":"signalbox.ended","seq":6,"value":{"signal":"g.other","event":"completed","because":"g.in"}}"#
    )
    try client.expectNothing()
  }

  @Test func `stands in the log with the chain of those that it ended for`() throws {
    let daemon = try HostKind.inProcess.start(graphs)
    let client = try daemon.connect()
    try client.say("send g.in 2", #"{"op":"send","signal":"g.in","event":"completed"}"#)
    _ = try client.ask("ping")
    let log = try #require(daemon.host as? LoopHost).log.records.filter {
      $0.level < .debug && $0.message.hasPrefix("g.")
    }
    let reason = try #require(log.first?.message.text(behind: "g.fine failed", until: "\n"))
    #expect(
      log.map(\.message) == [
        "g.fine failed\(reason)", "g.next failed because g.fine failed\(reason)",
        "g.hidden failed because g.fine failed\(reason)",
        "g.behind failed because g.hidden failed because g.fine failed\(reason)",
        "g.third failed because g.next failed because g.fine failed\(reason)", "g.in completed",
        "g.other completed because g.in completed",
      ])
    #expect(log.map(\.level) == Array(repeating: .warning, count: 5) + [.info, .info])
  }

  @Test func `takes ten lines of the log a second at most, however many end`() throws {
    let signals = (0..<100).map { "s\($0): {from: in, pipe: [{map: .n}], on_error: fail}" }
    let daemon = try HostKind.inProcess.start("  g: {signals: {in: {input: {}}, \(signals.joined(separator: ", "))}}")
    let client = try daemon.connect()
    try client.say("send g.in 1")
    _ = try client.ask("ping")
    let log = try #require(daemon.host as? LoopHost).log
    #expect(log.records.filter { $0.message.contains(" failed: ") }.count == 10)
    try daemon.iteration {
      try client.say("restart g", "send g.in 1")
      _ = try client.ask("ping")
      _ = try? client.line()
      return log.records.contains { $0.message.contains("earlier ones not logged") }
    }
  }

  @Test(arguments: HostKind.allCases) func `a value that is delivered later carries the time at which it was emitted`(
    kind: HostKind
  )
    throws
  {
    let daemon = try kind.start("  g: {signals: {a: {input: {}, replay: 2}, b: {from: a}}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.a","timestamps":true}"#)
    _ = try client.line()
    try client.say("send g.a 1")
    let first = try client.line()
    let passed = WallTime.now()
    while WallTime.now() == passed {}
    try client.say("send g.a 2")
    let second = try client.line()
    try other.say(#"{"op":"subscribe","signal":"g.a","timestamps":true}"#)
    _ = try other.line()
    try other.expect(first)
    try other.expect(second)
    let time = try #require(second.text(behind: #""at":""#))
    #expect(try other.ask(#"{"op":"get","signal":"g.a","timestamps":true}"#).hasSuffix(#""value":2,"at":"\#(time)"}"#))
    #expect(try other.ask("get g.a").hasSuffix(#""value":2}"#))
    #expect(try other.ask("describe g.b").contains(#""at":"\#(time)""#))
    #expect(try other.ask("stats").contains(#""age":"#))
  }
}

extension String {
  /// Returns the text after a key, up to a quote.
  fileprivate func text(behind key: String, until end: Character = "\"") -> String? {
    ranges(of: key).first.map { String(self[$0.upperBound...].prefix { $0 != end }) }
  }
}
