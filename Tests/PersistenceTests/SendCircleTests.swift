import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Values that durable graphs and others send to each other in a cycle.
@Suite struct SendCircleTests {
  /// - Parameter errors: The error policy of a durable signal.
  private static func host(_ there: String, _ back: String, _ errors: String? = nil) throws -> DurableHost {
    let errors = errors.map { ", errors: {from: signalbox.errors, pipe: [\($0)]}" } ?? ""
    let yaml = """
      signalbox: 1
      server: {limits: {chain: 20}}
      graphs:
        d: {durable: true, signals: {in: {input: {}}, out: {from: in, pipe: [\(there)]}\(errors)}}
        p: {signals: {in: {input: {}}, out: {\(back)}}}

      """
    return try DurableHost(yaml: yaml, microseconds: 0)
  }

  /// Waits for at most `limit` rounds, which each wait for the disk.
  private func settle(_ host: DurableHost, after limit: Int = 200) {
    for _ in 0..<limit {
      host.settleOnce()
      if host.present.isIdle { return }
    }
    Issue.record("it does not end")
  }

  @Test(
    arguments: [
      ("send_to: p.in", "from: p.in, pipe: [{send_to: d.in}]", "d.in → p.in → d.in"),
      ("map: .", "from: d.out, pipe: [{send_to: d.in}]", "d.in → d.in"),
      ("send_to: p.in", "from: p.in, pipe: [{map: '., .'}, {send_to: d.in}]", "d.in → p.in → d.in"),
    ]) func `a circle through a durable graph and another is found`(there: String, back: String, circle: String) throws
  {
    let host = try Self.host("{\(there)}", back)
    host.send(.number(1), to: "d.in")
    settle(host)
    // The target of the last value depends on the number of values.
    let turned = circle.split(separator: " → ").dropFirst() + circle.split(separator: " → ").dropFirst().prefix(1)
    let circles = [circle, turned.joined(separator: " → ")].map { "turns from one cause: \($0) (limits.chain)" }
    let messages = Set(host.refusals.map(\.failure.message))
    #expect(!messages.isEmpty && messages.allSatisfy { message in circles.contains { message.hasSuffix($0) } })
    #expect(host.refusals.allSatisfy { $0.failure.code == "limit" && $0.operatorName == "send_to" })
    let lost = (host.main.signals.map(\.losses.dropped)).reduce(0, +)
    #expect(lost > 0)
    // A value from outside restarts the count.
    host.send(.number(2), to: "d.in")
    settle(host)
    #expect(host.told(of: "d.in").contains { $0.hasSuffix(" 2") })
  }

  @Test func `an error that leads to another one through a durable graph does so a few times`() throws {
    let host = try Self.host(
      "{map: .a}, {send_to: p.in}", "from: signalbox.errors, pipe: [{filter: 'false'}]", "{map: '. + 1'}")
    host.send(.number(1), to: "d.in")
    settle(host)
    let errors = host.refusals.filter { $0.signal == "d.errors" }.count
    #expect(errors == 20)
    host.send(.number(1), to: "d.in")
    settle(host)
    #expect(host.refusals.filter { $0.signal == "d.errors" }.count == 2 * errors)
  }

  @Test func `many values that cross one way are no circle`() throws {
    let host = try Self.host("{map: '.[]'}, {send_to: p.in}", "from: p.in, pipe: [{map: '[., .]'}]")
    host.send(.array((0..<20).map { .number(Double($0)) }), to: "d.in")
    host.settle()
    #expect(host.told(of: "p.in").count == 20)
    #expect(host.refusals.isEmpty)
  }

  @Test func `a circle that waits in between continues`() throws {
    let host = try Self.host("{delay: 1s}, {send_to: p.in}", "from: p.in, pipe: [{send_to: d.in}]")
    host.send(.number(1), to: "d.in")
    host.settle()
    for _ in 0..<50 { host.advance(by: .seconds(1)) }
    #expect(host.told(of: "d.in").count == 51)
    #expect(host.refusals.isEmpty)
  }
}
