import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// The graphs beside durable ones, which start over with the daemon.
@Suite struct OtherGraphTests {
  @Test func `graphs that are not durable receive again what durable signals hold, and how they have ended`() throws {
    let host = try DurableHost(
      """
      h:
        signals:
          first: {from: d.limit, hold: true}
          raw: {input: {}}
          alarm: {combine: {t: raw, limit: d.limit}, pipe: [{map: .t > .limit}], hold: true}
          all: {from: d.past, replay: 9}
          end: {from: d.in, pipe: [{start_with: [0]}]}
      d:
        durable: true
        signals:
          limit: {property: {initial: 25}}
          in: {input: {endable: true}}
          past: {from: limit, replay: 9}
      """)
    host.send(.number(20), to: "d.limit")
    host.end("d.in", with: .completed)
    host.settle()
    for _ in 1...2 {
      try host.kill()
      host.settle()
      #expect(host.main.signal(named: "h.first")?.retained.latest(9).map(\.payload.value) == [.number(20)])
      #expect(host.main.signal(named: "h.all")?.retained.latest(9).map(\.payload.value) == [.number(25), .number(20)])
      #expect(host.main.signal(named: "h.end")?.ending == .completed)
      host.send(.number(22), to: "h.raw")
      #expect(host.main.signal(named: "h.alarm")?.retained.last?.payload.value == true)
    }
  }
}
