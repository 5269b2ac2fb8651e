import GraphEngine
import GraphStories
import JSON
import Signals
import Testing

@testable import Persistence

/// A query that durable graphs know by its name alone.
private struct PulseQuery: WorldQuery {
  typealias Event = String
  static let name = "pulse"
}

struct WorldQueryTests {
  /// Follows the query in a durable world.
  private func follow(in world: DurableWorld, _ receive: @escaping (String) -> Void) {
    _ = world.follow(PulseQuery(), receive)
  }

  @Test func `an event of a query that durable graphs know by its name is logged, decoded and delivered again`() throws
  {
    let system = PlayedWorld()
    let world = DurableWorld(.system(system))
    var logged: [(event: WorldEvent, number: UInt64)] = []
    world.enter = { logged.append(($0, $1)) }
    follow(in: world) { _ in Issue.record("it is delivered before it is logged") }
    system.queries.deliver(["one"], to: PulseQuery.self)
    let entry = try #require(logged.first)
    #expect(!entry.event.isDeliveredOnce)
    var writer = StateEncoder()
    entry.event.encode(to: &writer)
    var reader = StateDecoder(writer.bytes)
    let decoded = try WorldEvent(from: &reader)
    #expect(reader.isAtEnd)
    let replayed = DurableWorld(.stateLog)
    var received: [String] = []
    follow(in: replayed) { received.append($0) }
    replayed.deliver(decoded, to: entry.number)
    #expect(received == ["one"])
  }

  @Test(arguments: [([9], "count exceeds the remaining data"), ([1, 97, 0], "an event of pulse with further bytes")])
  func `an event whose bytes are none of its query is damage`(_ bytes: [UInt8], _ message: String) {
    let world = DurableWorld(.stateLog)
    var damage: [String] = []
    world.onDamage = { damage.append($0.message) }
    follow(in: world) { Issue.record("it receives \($0)") }
    world.deliver(.named("pulse", bytes), to: 1)
    #expect(damage == [message])
  }

  @Test func `events of other queries are not delivered`() {
    let world = DurableWorld(.stateLog)
    world.onDamage = { Issue.record("damage: \($0.message)") }
    follow(in: world) { Issue.record("it receives \($0)") }
    world.deliver(.named("uptime", [1, 97]), to: 1)
    world.deliver(.tail(.rotated), to: 1)
  }
}
