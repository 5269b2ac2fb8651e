import Glibc
import Testing

/// The cost of one client's subscriptions to the others.
@Suite(.serialized) struct `A crowd of subscriptions` {
  private static let limits =
    "{limits: {output: 1GiB, memory: 2GiB, client: {subscriptions: 100000}, user: {memory: 1GiB, subscriptions: 100000}}}"

  /// Processor time of this thread, in seconds.
  private func time(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  private func subscribe(_ count: Int, to pattern: String, _ daemon: TestDaemon) throws -> TestClient {
    let client = try daemon.connect()
    for number in 0..<count {
      try client.say(#"{"op":"subscribe","signal":"\#(pattern)","subscription":"\#(number)"}"#)
      if number % 100 == 99 { _ = try client.lines(100) }
    }
    return client
  }

  @Test(arguments: ["it leaves", "the signal is removed"]) func `costs each of them the same, however many there are`(
    end: String
  ) throws {
    func cost(_ count: Int) throws -> Double {
      let daemon = try HostKind.inProcess.start("  g: {signals: {a: {input: {}}, b: {input: {}}}}", server: Self.limits)
      let other = try daemon.connect()
      var client: TestClient? = try subscribe(count, to: "g.a", daemon)
      if end == "it leaves" {
        return try time {
          client = nil
          try other.wait(forConnections: 1)
        }
      }
      try daemon.folder.writeConfiguration("  g: {signals: {b: {input: {}}}}", server: Self.limits)
      defer { withExtendedLifetime(client) {} }
      var verdict = ""
      let spent = try time { verdict = try other.ask("reload") }
      #expect(verdict.contains(#""removed":["g.a"]"#))
      return spent
    }
    let (few, many) = (try cost(500), try cost(4000))
    // Eight times as many; a quadratic cost would be 64 times as high.
    #expect(many < 24 * few, "\(few) s for 500, \(many) s for 4000")
  }

  @Test func `to patterns costs a reload nothing that has nothing for them`() throws {
    let signals = (0..<300).map { "s\($0): {input: {}}" }.joined(separator: ", ")
    let daemon = try HostKind.inProcess.start("  g: {signals: {\(signals)}}", server: Self.limits)
    let other = try daemon.connect()
    func reload() throws -> Double {
      try (0..<5).map { number in
        // An unchanged file is not parsed again.
        try daemon.folder.writeConfiguration("  g: {signals: {\(signals)}} # \(number)", server: Self.limits)
        return try time { _ = try other.ask("reload") }
      }.min() ?? 0
    }
    let alone = try reload()
    let client = try subscribe(100, to: "*.*", daemon)
    // A quadratic cost would be some hundred times as high.
    let crowded = try reload()
    #expect(crowded < 5 * alone, "\(alone) s without them, \(crowded) s with them")
    withExtendedLifetime(client) {}
  }

  @Test(arguments: ["drop_oldest", "drop_newest", "latest"])
  func `of a client that does not read costs a value the same for each, however many there are`(
    overflow: String
  ) throws {
    func cost(_ count: Int) throws -> Double {
      let daemon = try HostKind.inProcess.start(
        "  g: {signals: {a: {input: {}}}}",
        server: "{limits: {output: 128KiB, client: {subscriptions: 10000}, user: {subscriptions: 10000}}}")
      let (slow, sender) = (try daemon.connect(), try daemon.connect())
      for number in 0..<count {
        try slow.say(#"{"op":"subscribe","signal":"g.a","subscription":"\#(number)","overflow":"\#(overflow)"}"#)
        if number % 100 == 99 { _ = try slow.lines(100) }
      }
      let send = #"{"op":"send","id":1,"signal":"g.a","value":"\#(String(repeating: "x", count: 100))"}"#
      // Until the kernel takes in no more, and the queue is full.
      for _ in 0..<8 { _ = try sender.ask(send) }
      return try (0..<3).map { _ in try time { _ = try sender.ask(send) } }.min() ?? 0
    }
    let (few, many) = (try cost(500), try cost(4000))
    // Eight times as many; a quadratic cost would be 64 times as high.
    #expect(many < 24 * few, "\(few) s for 500, \(many) s for 4000")
  }
}
