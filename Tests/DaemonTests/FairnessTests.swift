import Glibc
import Linux
import Testing

private let graphs = "g: {signals: {in: {input: {}, backpressure: true}, other: {input: {}}}}"

/// The effects of one stalled subscriber on itself and on the others, measured.
///
/// `STALLED_MEGABYTES` is the amount sent (`make test-long`: 500).
@Suite struct `Fairness` {
  private static let budget = 200 << 10
  /// The memory beside a connection's budget: its committed bytes, and a turn's.
  private static let slack = 2 * 65_536
  private static let valueSize = 2000
  private static let round = 100
  private static let megabytes = getenv("STALLED_MEGABYTES").flatMap { Int(String(cString: $0)) }
  private static let isLong = megabytes != nil
  private static let rounds = (megabytes ?? 4) << 20 / (valueSize * round)
  private static let total = UInt64(rounds * round)
  private let text = String(repeating: "x", count: valueSize)

  private func start(_ kind: HostKind) throws -> TestDaemon {
    // Blocked or stalled clients wait as long as the others need for all values.
    try kind.start(graphs, server: "{limits: {output: 200KiB, unfinished: 1h}}")
  }

  /// Sends all values in rounds, has every client but the stalled one read each round, and checks the memory held.
  private func flood(_ signal: String, _ sender: TestClient, _ readers: [TestClient], of daemon: TestDaemon) throws {
    for client in readers { _ = try client.ask("subscribe \(signal)") }
    var held: UInt64 = 0
    var pauses = Pauses(of: daemon.host)
    for number in 0..<Self.rounds {
      let numbers = number * Self.round + 1...(number + 1) * Self.round
      try sender.write(numbers.map { "send \(signal) [\"\(text)\",\($0)]\n" }.joined())
      for number in numbers {
        let event = #"{"event":"next","signal":"\#(signal)","seq":\#(number),"value":["\#(text)",\#(number)]}"#
        for client in readers where try client.line() != event { Issue.record("\(number) is missing") }
        pauses.ends()
      }
      held = max(held, try #require(try sender.ask("stats").number(behind: #""held_bytes":"#)))
    }
    #expect(held < UInt64(Self.budget + Self.slack))
    #expect(pauses.areShort, "\(pauses)")
    // The long test is for an otherwise idle machine, and has a time bound as well.
    if Self.isLong && daemon.host.isProcess { #expect(pauses.longestWork < .milliseconds(20)) }
    if Self.isLong { print("pauses of those who read \(signal): \(pauses)") }
  }

  @Test(arguments: HostKind.allCases, ["drop_oldest", "drop_newest", "latest"])
  func `beside one that has stalled the others get everything, and its losses are reported exactly`(
    kind: HostKind, overflow: String
  ) throws {
    let daemon = try start(kind)
    let (stalled, sender) = (try daemon.connect(), try daemon.connect())
    _ = try stalled.ask(#"{"op":"subscribe","signal":"g.in","overflow":"\#(overflow)"}"#)
    try flood("g.in", sender, [try daemon.connect(), try daemon.connect()], of: daemon)
    try stalled.say("ping")
    let story = Story(try stalled.lines(upTo: #"{"reply":"ping"}"#), of: "g.in")
    #expect(story.isExact)
    #expect(story.dropped > 0 && UInt64(story.numbers.count) + story.dropped == Self.total)
    #expect((overflow == "drop_newest") == (story.numbers.last != Self.total))
    #expect(try sender.ask("stats").contains(#""lost":\#(story.dropped),"#))
  }

  @Test(arguments: HostKind.allCases) func `one that wants to be disconnected is, after all that it was sent`(
    kind: HostKind
  ) throws {
    let daemon = try start(kind)
    let (stalled, sender) = (try daemon.connect(), try daemon.connect())
    _ = try stalled.ask(#"{"op":"subscribe","signal":"g.in","overflow":"disconnect"}"#)
    try flood("g.in", sender, [try daemon.connect(), try daemon.connect()], of: daemon)
    let story = Story(try stalled.lines(upTo: #"{"event":"interrupted","reason":"slow"}"#), of: "g.in")
    #expect(story.isExact && story.dropped == 0 && story.numbers.count > 10)
    try stalled.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `one that blocks pauses those that send there, and no other signal`(
    kind: HostKind
  ) throws {
    let daemon = try start(kind)
    let (stalled, blocked, sender) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    _ = try stalled.ask(#"{"op":"subscribe","signal":"g.in","overflow":"block"}"#)
    let count = 2000
    let rest = try blocked.offer((1...count).map { "send g.in [\"\(text)\",\($0)]\n" }.joined(), patience: 3)
    #expect(rest.utf8.count > count * Self.valueSize / 2)
    // The line that has not been executed yet is held for its sender.
    try flood("g.other", sender, [try daemon.connect(), try daemon.connect()], of: daemon)
    var unsent = rest
    for number in 1...count {
      if number % 20 == 0 { unsent = try blocked.offer(unsent, patience: 1) }
      try stalled.expect(#"{"event":"next","signal":"g.in","seq":\#(number),"value":["\#(text)",\#(number)]}"#)
    }
    try stalled.expectNothing()
  }
}
