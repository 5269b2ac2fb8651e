import GraphStories
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import GraphEngine
@testable import Persistence

/// Turns of durable graphs that take longer than `limits.turn_time`.
@Suite struct TurnTimeTests {
  private let host: DurableHost

  init() throws {
    host = try Self.host(
      """
      g:
        durable: {history: {for: 7d}}
        signals:
          a: {input: {}}
          many: {from: a, pipe: [{map: "range(.)"}]}
          other: {input: {}}
          early: {from: other, pipe: [{delay: 1s}]}
          late: {from: many, pipe: [{delay: 1s}, {map: "range(. * 100)"}]}
          sum: {from: many, pipe: [{scan: {initial: 0, next: $state + .}}]}
      """)
  }

  /// Returns graphs whose turns take 10 ms for each evaluation and value.
  private static func host(_ graphs: String) throws -> DurableHost {
    var time = Instant.zero
    let clock = TurnClock(interval: 10) {
      time += .milliseconds(100)
      return time
    }
    return try DurableHost(yaml: DurableHost.yaml(graphs), microseconds: 1_700_000_000_000_000, turnClock: clock)
  }

  private func send(_ value: Double, message: String? = nil) {
    host.send(.number(value), to: "g.a", message: message)
    host.settle()
  }

  private var said: Int { host.told(of: "g.many").count }

  private func dropped() -> UInt64? { host.present.durable.runtime.signal(named: "g.many")?.losses.dropped }

  @Test func `a turn that took too long ends where it did, after a kill`() throws {
    send(1000)
    let first = said
    #expect(20..<200 ~= first)
    #expect(dropped().map { $0 > 800 } ?? false)
    #expect(host.world.logged.contains { $0.contains("turn longer than 1s (limits.turn_time)") })
    send(3)
    #expect(said == first + 3)
    // Its replay verifies a digest of the events of each entry.
    let before = dropped()
    try host.kill()
    #expect(dropped() == before)
    send(1000)
    #expect(host.told.contains("g.many \(first + 4) 0"))
  }

  @Test func `each of several values has its own time, and an answer`() throws {
    guard let signal = host.main.signal(named: "g.a") else { return }
    host.send(.values([1000, 2, 1000].map { .value(.number($0)) }), to: signal, message: "m")
    host.settle()
    #expect(host.answers == ["m 3"])
    let values = host.told(of: "g.many").map { $0.split(separator: " ").last ?? "" }
    #expect(values.filter { $0 == "0" }.count == 3 && values.count < 500)
    let standing = host.present.durable.runtime.standing
    try host.kill()
    #expect(host.present.durable.runtime.standing == standing)
  }

  @Test func `a value after the cut is explained by what was let through`() throws {
    send(1000)
    send(2)
    host.advance(by: .seconds(1))
    let copy = try host.copyOfState()
    let past = try LookingBack(at: "g.sum", in: try FolderReader(copy.path))
    let value = try past.value(.latest)
    #expect("g.sum \(value.sequence) \(value.payload.value)" == host.told(of: "g.sum").last)
    #expect(try past.explanation(.latest, depth: 0, verifies: true).isVerified == true)
  }

  @Test func `timers whose turns are cut are replayed with all graphs`() throws {
    host.send(1, to: "g.other")
    send(3)
    host.advance(by: .seconds(2))
    let told = host.told(of: "g.late")
    #expect(told.count < 200)
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let past = try LookingBack(at: "g.late", in: try FolderReader(copy.path))
    #expect(try past.value(.latest).sequence == UInt64(told.count))
    for line in told {
      let number = try #require(UInt64(line.split(separator: " ")[1]))
      #expect("g.late \(number) \(try past.value(.number(number)).payload.value)" == line)
    }
    #expect(try past.explanation(.latest, depth: 0, verifies: true).isVerified == true)
  }

  @Test func `a cut counts the work of signals that are not upstream`() throws {
    let host = try Self.host(
      """
      g:
        durable: {history: {for: 7d}}
        signals:
          a: {input: {}}
          z: {input: {}}
          b: {input: {}}
          side: {from: a, pipe: [{with_latest: z}, {map: "range(80)"}]}
          out: {from: a, pipe: [{with_latest: b}, {map: "range(80)"}]}
      """)
    for name in ["g.z", "g.b", "g.a", "g.a"] { host.send(1, to: name) }
    host.advance(by: .seconds(1))
    let told = host.told(of: "g.out")
    #expect(1..<160 ~= told.count)
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let value = try LookingBack(at: "g.out", in: try FolderReader(copy.path)).value(.latest)
    #expect("g.out \(value.sequence) \(value.payload.value)" == told.last)
  }

  @Test func `a search that took too long ends where it did, after a kill and in explanations`() throws {
    let host = try Self.host(
      """
      g:
        durable: {history: {for: 7d}}
        signals:
          a: {input: {}}
          m: {from: a, pipe: [{map: 'test("a*b")'}], on_error: emit}
      """)
    host.send(.string(String(repeating: "a", count: 400_000)), to: "g.a")
    host.settle()
    #expect(host.told(of: "g.m").map { $0.contains("takes too long") } == [true])
    try host.kill()
    host.send("ab", to: "g.a")
    host.settle()
    #expect(host.told(of: "g.m").last?.hasSuffix(" true") ?? false)
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let past = try LookingBack(at: "g.m", in: try FolderReader(copy.path))
    #expect(try past.value(.number(1)).payload.description.contains("takes too long"))
  }

  @Test func `a note about cut turns precedes their entry`() throws {
    let cuts = [
      TurnCut(turn: 2, work: 64), TurnCut(turn: 300, work: 1 << 40), TurnCut(search: 2, piece: 64),
    ]
    var log = EntryLog()
    log.append(.value(.value(.number(1)), to: 3, message: "m"), at: EntryTime())
    log.append(.content([1, 2]), at: EntryTime())
    log.close(RollingHash(), cuts: cuts)
    log.append(.timers, at: EntryTime())
    log.close(RollingHash(), cuts: [])
    var reader = EntryReader(log.bytes)
    let entry = try reader.read()?.entry
    #expect(entry.map { "\($0)" }?.hasPrefix("value") ?? false)
    #expect(reader.cuts == cuts)
    #expect(try reader.readContent() == [1, 2])
    _ = try reader.readDigest()
    _ = try reader.read()
    #expect(reader.cuts.isEmpty)
  }
}
