import Glibc
import Linux
import Testing

private let graphs = "g: {signals: {in: {input: {}}, other: {input: {}}}}"

/// Hostile clients, and those that behave alike.
///
/// `LINE_MEGABYTES` and `CONNECTIONS` set the amounts (`make test-long`: 1000, and a million).
@Suite struct `Abuse` {
  private static let lineMegabytes = number("LINE_MEGABYTES") ?? 100
  private static let connections = number("CONNECTIONS") ?? 3000
  private static let isLong = number("LINE_MEGABYTES") != nil || number("CONNECTIONS") != nil

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  @Test(arguments: HostKind.allCases) func `lines may come byte by byte`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let client = try daemon.connect()
    let lines = [
      "subscribe g.in", #"{"op":"send","id":"é","signal":"g.in","value":"a\n😀"}"#, "# no word", "",
      "send g.in [1,2]\r",
      #"{"op":"pi"#, "ping",
    ]
    for byte in (lines.joined(separator: "\n") + "\n").utf8 {
      try client.write([byte])
      if !daemon.host.isProcess { try daemon.host.iteration() }
    }
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":0}]}"#,
      #"{"event":"next","signal":"g.in","seq":1,"value":"a\n😀"}"#,
      #"{"reply":"send","id":"é","signal":"g.in","seq":1}"#, #"{"event":"next","signal":"g.in","seq":2,"value":[1,2]}"#)
    #expect(try client.line().contains("bad_json"))
    try client.expect(#"{"reply":"ping"}"#)
  }

  @Test(
    arguments: HostKind.allCases,
    ["\0", "\0\0\0\0", "{\"op\":\"ping\"}\0", "{\"op\":\0\"ping\"}", "{\"op\":\"pi\0ng\"}", "ping\0", "send g.in 1\0"])
  func `a zero byte is an error like any other`(kind: HostKind, line: String) throws {
    let client = try kind.start(graphs).connect()
    #expect(try client.ask(line).hasPrefix(#"{"reply":"error""#))
    try client.expectNothing()
    #expect(try client.ask("stats").contains(#""received":0"#))
  }

  @Test func `a line without an end takes no memory`() throws {
    let daemon = try HostKind.program.start(graphs)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.write("{\"op\":\"send\",\"signal\":\"g.in\",\"value\":\"")
    let megabyte = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<3 { try client.write(megabyte) }
    let before = try memory(other)
    var pauses = Pauses(of: daemon.host)
    for _ in 0..<Self.lineMegabytes {
      try client.write(megabyte)
      try pauses.ping(other)
    }
    report(pauses)
    #expect(try memory(other) < before + 4 << 20)
    try client.say("\"}", "ping")
    #expect(try client.line().contains("too_long"))
    try client.expect(#"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `clients that trickle a line are closed in time, each`(kind: HostKind) throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {unfinished: 200ms}}")
    let other = try daemon.connect()
    let clients = try (0..<50).map { _ in try daemon.connect() }
    // Occasional bytes do not extend the deadline of a line.
    try daemon.iteration {
      for client in clients { _ = try? client.offer("x", patience: 1) }
      return try other.ask("stats").contains(#""connections":1,"#)
    }
    for client in clients { try client.expectEnd() }
  }

  @Test(arguments: HostKind.allCases)
  func `a client that has stopped reading costs nothing, still has its requests carried out, and goes when it ends`(
    kind: HostKind
  )
    throws
  {
    let daemon = try kind.start(graphs)
    let (half, other) = (try daemon.connect(), try daemon.connect())
    _ = try half.ask("subscribe g.in")
    try half.closeReading()
    let before = try #require(try other.ask("stats").number(behind: #""held_bytes":"#))
    try other.send(1..<5001, to: "g.in")
    try half.say("send g.other 1")
    try daemon.iteration { try other.ask("stats").contains(#""g.other":{"seq":1"#) }
    #expect(try other.ask("stats").number(behind: #""held_bytes":"#) == before)
    try half.finish()
    try other.wait(forConnections: 1)
  }

  @Test(arguments: HostKind.allCases)
  func `clients that have finished sending and read nothing delay no others, and go when they end`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {output: 64KiB}}")
    let (sender, reader) = (try daemon.connect(), try daemon.connect())
    let halves = try (0..<20).map { number in
      let client = try daemon.connect()
      try client.say(number.isMultiple(of: 2) ? "subscribe g.in" : String(repeating: "list\n", count: 3000))
      try client.finish()
      return client
    }
    _ = try reader.ask("subscribe g.in")
    for start in stride(from: 1, to: 20_000, by: 500) {
      try sender.send(start..<(start + 500), to: "g.in")
      for number in start..<(start + 500) {
        try reader.expect(#"{"event":"next","signal":"g.in","seq":\#(number),"value":\#(number)}"#)
      }
    }
    let held = try #require(try sender.ask("stats").number(behind: #""held_bytes":"#))
    // For each connection its budget, its committed bytes, and its lines not yet executed.
    #expect(held < 20 * (3 * 65_536))
    withExtendedLifetime(halves) {}
    try halves.forEach { try $0.closeReading() }
    try sender.wait(forConnections: 2)
  }

  @Test func `a great many connections leave nothing behind`() throws {
    let daemon = try HostKind.program.start(graphs)
    let process = try #require(daemon.host as? ProgramHost).process
    let other = try daemon.connect()
    try other.expectNothing()
    let descriptors = process.openDescriptors
    var pauses = Pauses(of: daemon.host)
    func connectMany(_ count: Int) throws {
      for number in 0..<count {
        let client = try daemon.connect()
        // One of three sends nothing, one leaves half a line, one a subscription.
        if number % 3 == 1 { try client.write("{\"op\":") }
        if number % 3 == 2 { try client.write("subscribe g.in\n") }
        if number % 100 == 0 { try pauses.ping(other) }
      }
      try other.wait(forConnections: 1)
    }
    try connectMany(300)
    let bytes = try memory(other)
    try connectMany(Self.connections)
    // A client has disconnected before the last of its data has been read.
    try daemon.iteration { process.openDescriptors == descriptors }
    #expect(try memory(other) < bytes + 2 << 20)
    report(pauses)
  }

  @Test func `one that floods does not starve another`() throws {
    let daemon = try HostKind.inProcess.start(graphs)
    let (flooder, other) = (try daemon.connect(), try daemon.connect())
    try other.expectNothing()
    let line = "send g.in 1\n"
    _ = try flooder.offer(String(repeating: line, count: 100_000), patience: 1)
    #expect(try other.ask("ping") == #"{"reply":"ping"}"#)
    let stats = try other.ask("stats")
    let done = try #require(stats.number(behind: #""g.in":{"seq":"#))
    // At most a few portions of 64 KiB of the hundred thousand lines were executed in between.
    #expect(done > 0 && done < 6 * 65_536 / UInt64(line.utf8.count))
  }

  @Test(arguments: [false, true])
  func `one whose answers are long does not delay another, whether they are read or not`(
    isGone: Bool
  ) throws {
    let signals = (1...300).map { "s\($0): {input: {}}" }.joined(separator: ", ")
    let daemon = try HostKind.inProcess.start("g: {signals: {in: {input: {}}, \(signals)}}")
    let (asker, other) = (try daemon.connect(), try daemon.connect())
    try other.expectNothing()
    // Some 20 kB for each line of five bytes.
    _ = try asker.offer(String(repeating: "list\n", count: 200) + "send g.in 1\n", patience: 1)
    if isGone { try asker.closeReading() }
    #expect(try other.ask("ping") == #"{"reply":"ping"}"#)
    #expect(try other.ask("stats").contains(#""g.in":{"seq":0"#))
    if !isGone { _ = try asker.lines(200) }
    try daemon.iteration { try other.ask("stats").contains(#""g.in":{"seq":1"#) }
  }

  @Test(arguments: ["get g.s1499x", "subscribe g.zzz", "describe g.in"])
  func `one whose short lines take long does not delay another`(line: String) throws {
    let signals = (1...1500).map { "s\($0): {from: in}" }.joined(separator: ", ")
    let daemon = try HostKind.inProcess.start("g: {signals: {in: {input: {}}, \(signals)}}")
    let (asker, other) = (try daemon.connect(), try daemon.connect())
    try other.expectNothing()
    _ = try asker.offer(String(repeating: line + "\n", count: 200) + "send g.in 1\n", patience: 1)
    try asker.closeReading()
    #expect(try other.ask("ping") == #"{"reply":"ping"}"#)
    #expect(try other.ask("stats").contains(#""g.in":{"seq":0"#))
    try daemon.iteration { try other.ask("stats").contains(#""g.in":{"seq":1"#) }
  }

  private func report(_ pauses: Pauses) {
    #expect(pauses.areShort, "\(pauses)")
    // The long test is for an otherwise idle machine; a hundred short connections take 15 ms in a debug build.
    if Self.isLong { #expect(pauses.longestWork < .milliseconds(150)) }
    if Self.isLong { print("the others' answers took \(pauses)") }
  }

  private func memory(_ client: TestClient) throws -> Int {
    Int(try #require(try client.ask("stats").number(behind: #""memory_bytes":"#)))
  }
}

extension Pauses {
  /// Sends a ping and records the time until its answer.
  fileprivate mutating func ping(_ client: TestClient) throws {
    begins()
    try client.expectNothing()
    ends()
  }
}
