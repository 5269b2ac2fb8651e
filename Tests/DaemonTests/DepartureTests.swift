import Linux
import Testing

@testable import Daemon

private let graphs = """
  g:
    signals:
      a: {input: {}, backpressure: true}
      b: {input: {}}
    actions:
      act: {exec: [sleep, "1000"]}
  """

/// The ways in which a client disconnects.
enum Departure: String, CaseIterable, CustomTestStringConvertible {
  case close
  case closeBothWays = "shut down both ways"
  case closeUnread = "close with answers unread"

  var testDescription: String { rawValue }

  fileprivate func carryOut(_ client: TestClient) throws -> TestClient? {
    switch self {
    case .close: return nil
    case .closeUnread:
      try client.say(#"{"op":"ping","id":"unread"}"#)
      return nil
    case .closeBothWays:
      try client.finish()
      try client.closeReading()
      return client
    }
  }
}

@Suite struct `A client that goes while its lines wait` {
  private static let oneASecond = "{limits: {client: {sends: 1}, user: {connections: 3}}}"

  private func sends(_ numbers: ClosedRange<Int>, to signal: String = "g.a") -> String {
    numbers.map { "send \(signal) \($0)\n" }.joined()
  }

  /// Makes clients wait with many lines, a subscription and a call, then disconnects them.
  private func leave(_ departure: Departure, _ daemon: TestDaemon) throws -> TestClient? {
    let client = try daemon.connect()
    try client.say("subscribe g.b", #"{"op":"call","id":1,"action":"g.act"}"#)
    _ = try client.line()
    try client.write(sends(1...5000))
    return try departure.carryOut(client)
  }

  @Test(arguments: HostKind.allCases, Departure.allCases)
  func `has its call, its subscriptions and its place taken back at once`(kind: HostKind, departure: Departure) throws {
    let daemon = try kind.start(graphs, server: Self.oneASecond)
    let other = try daemon.connect()
    try other.say("subscribe g.act.executing")
    _ = try other.lines(2)
    var gone: [TestClient?] = []
    for _ in 0..<6 {
      gone.append(try leave(departure, daemon))
      #expect(try other.line().contains(#""value":true"#))
      #expect(try other.line().contains(#""value":false"#))
      let stats = try other.ask("stats")
      #expect(stats.contains(#""connections":1,"#))
      #expect(stats.contains(#""subscriptions":1,"#))
    }
  }

  @Test(arguments: HostKind.allCases, ["client", "user"])
  func `has all of what it sent carried out in its time`(kind: HostKind, whose: String) throws {
    let daemon = try kind.start(graphs, server: "{limits: {\(whose): {sends: 2000}}}")
    let other = try daemon.connect()
    _ = try other.ask("subscribe g.a")
    let count = 3000
    // More than one read: a part is still in the kernel at the disconnection.
    let text = String(repeating: "x", count: 50)
    do { try daemon.connect().write((1...count).map { "send g.a [\"\(text)\",\($0)]\n" }.joined()) }
    for number in 1...count {
      try other.expect(#"{"event":"next","signal":"g.a","seq":\#(number),"value":["\#(text)",\#(number)]}"#)
    }
  }

  @Test(arguments: HostKind.allCases) func `receives and begins nothing any more`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 2}}}")
    let other = try daemon.connect()
    try other.say("subscribe g.a", "subscribe g.act.executing")
    _ = try other.lines(3)
    do {
      let client = try daemon.connect()
      try client.write(sends(1...3))
      try client.say("subscribe g.b", #"{"op":"call","id":1,"action":"g.act"}"#, "send g.a 4")
    }
    for number in 1...4 { try other.expect(#"{"event":"next","signal":"g.a","seq":\#(number),"value":\#(number)}"#) }
    try other.expectNothing()
    #expect(try other.ask("stats").contains(#""subscriptions":2,"#))
  }

  @Test(arguments: HostKind.allCases) func `has it dropped after the time that an unfinished line has`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 1}, unfinished: 100ms}}")
    let other = try daemon.connect()
    _ = try other.ask("subscribe g.a")
    do { try daemon.connect().write(sends(1...5000)) }
    try other.expect(#"{"event":"next","signal":"g.a","seq":1,"value":1}"#)
    let idle = try #require(try daemon.connect().ask("stats").number(behind: #""held_bytes":"#))
    #expect(idle > 5000)
    try daemon.iteration { try #require(try other.ask("stats").number(behind: #""held_bytes":"#)) < 1000 }
    try other.expectNothing()
    if let host = daemon.host as? LoopHost {
      #expect(host.log.records.contains { $0.message.contains("dropped lines of a disconnected client") })
    }
  }

  @Test(arguments: HostKind.allCases) func `is charged for it, and loses it where its user may hold no more`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 1}, user: {memory: 300KiB}}}")
    let other = try daemon.connect()
    for _ in 0..<100 {
      do { try daemon.connect().write(sends(1...5000)) }
      try other.wait(forConnections: 1)
      #expect(try #require(try other.ask("stats").number(behind: #""held_bytes":"#)) < 600 << 10)
    }
    if let host = daemon.host as? LoopHost {
      #expect(host.log.records.contains { $0.message.contains("dropped lines of a disconnected client") })
    }
  }

  @Test(arguments: HostKind.allCases) func `and has only finished sending has everything carried out and answered`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 100}}}")
    let (half, other) = (try daemon.connect(), try daemon.connect())
    try half.write("subscribe g.b\n" + sends(1...150) + "ping\nget g.a\nping")
    try half.finish()
    _ = try half.line()
    try half.expect(#"{"reply":"ping"}"#)
    #expect(try half.line().contains("no_value"))
    try half.expect(#"{"reply":"ping"}"#)
    try other.say("send g.b 1")
    try half.expect(#"{"event":"next","signal":"g.b","seq":1,"value":1}"#)
    #expect(try other.ask("stats").contains(#""g.a":{"seq":150"#))
  }

  @Test(arguments: HostKind.allCases, [true, false])
  func `continues as soon as a reload lifts its limit, like one that stays`(kind: HostKind, stays: Bool) throws {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 1}, user: {sends: 2}}}")
    let other = try daemon.connect()
    _ = try other.ask("subscribe g.a")
    var sender: TestClient? = try daemon.connect()
    try sender?.write(sends(1...1000))
    try other.expect(#"{"event":"next","signal":"g.a","seq":1,"value":1}"#)
    if !stays { sender = nil }
    try daemon.folder.writeConfiguration(graphs, server: "{limits: {user: {sends: 100000}}}")
    try other.say("reload")
    // At the old rate it would take a quarter of an hour.
    let lines = try (2...1001).map { _ in try other.line() }
    #expect(lines.filter { $0.contains(#""event":"next""#) }.count == 999)
    withExtendedLifetime(sender) {}
  }

  @Test func `does not keep the daemon from ending`() throws {
    let daemon = try HostKind.program.start(graphs, server: Self.oneASecond)
    let process = try #require(daemon.host as? ProgramHost).process
    let other = try daemon.connect()
    _ = try leave(.close, daemon)
    try other.wait(forConnections: 1)
    let (whole, half) = (try daemon.connect(), try daemon.connect())
    try whole.write(sends(1...5000))
    try half.write(sends(1...5000))
    try half.finish()
    let begin = MonotonicInstant.now()
    process.signal(15)
    #expect(try process.waitForExit() == 0)
    #expect(MonotonicInstant.now() - begin < .seconds(10))
  }
}
