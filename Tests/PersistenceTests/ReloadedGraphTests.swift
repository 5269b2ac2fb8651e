import JSON
import SignalGraph
import Testing

@testable import Persistence

/// Durable graphs and the others that a reload changes while they stand beside each other.
@Suite struct ReloadedGraphTests {
  private static let property = "p: {signals: {v: {property: {initial: 5}}, held: {from: v, hold: true}}}"

  @Test(arguments: ["p.v", "p.held"])
  func `a durable signal that comes to hear another graph is told what is held there`(heard: String) throws {
    let host = try DurableHost(Self.property + "\nd: {durable: true, signals: {in: {input: {}}}}")
    host.send(.number(6), to: "p.v")
    host.settle()
    let graphs =
      Self.property + "\nd: {durable: true, signals: {in: {input: {}}, late: {from: \(heard), replay: 10}}}"
    try host.reload(graphs)
    #expect(host.told(of: "d.late") == ["d.late 1 6"])
    host.send(.number(7), to: "p.v")
    host.settle()
    #expect(host.told(of: "d.late") == ["d.late 1 6", "d.late 2 7"])
    try host.reload(graphs)
    #expect(host.told(of: "d.late") == ["d.late 1 6", "d.late 2 7"])
  }

  @Test func `a durable signal that comes to hear one that has ended ends`() throws {
    let host = try DurableHost("p: {signals: {v: {input: {endable: true}}}}\nd: {durable: true, signals: {}}")
    host.end("p.v", with: .completed)
    try host.reload("p: {signals: {v: {input: {endable: true}}}}\nd: {durable: true, signals: {late: {from: p.v}}}")
    #expect(host.told(of: "d.late") == ["d.late completed"])
  }

  @Test func `what another graph says as a reload has it begin is heard`() throws {
    func graphs(_ values: String) -> String {
      "p: {signals: {v: {values: [\(values)]}, q: {property: {initial: \(values.prefix(1))}}}}\n"
        + "d: {durable: true, signals: {sum: {from: p.v, pipe: [collect: ], replay: 9}, q: {from: p.q, replay: 9}}}"
    }
    let host = try DurableHost("d: {durable: true, signals: {in: {input: {}}}}")
    try host.reload(graphs("1, 2"))
    try host.reload(graphs("3, 4"))
    #expect(host.told(of: "d.sum").filter { $0.contains("array") || $0.contains("[") }.count == 2)
    #expect(host.told(of: "d.q") == ["d.q 1 1", "d.q 2 3"])
  }

  @Test func `what is not durable any more starts anew at once, and not again when the disk has caught up`() throws {
    func graphs(_ initial: Int, isDurable: Bool) -> String {
      "d: {\(isDurable ? "durable: true, " : "")signals: {in: {input: {}}, "
        + "sum: {from: in, pipe: [{scan: {initial: \(initial), next: $state + .}}], replay: 9}}}"
    }
    let host = try DurableHost(graphs(0, isDurable: true))
    host.send(.number(1), to: "d.in")
    host.turn()
    try host.reload(graphs(100, isDurable: true), settling: false)
    try host.reload(graphs(200, isDurable: false), settling: false)
    host.send(.number(1), to: "d.in")
    host.settle()
    host.send(.number(1), to: "d.in")
    #expect(host.told(of: "d.sum").suffix(2).map { $0.suffix(3) } == ["201", "202"])
  }

  @Test(arguments: ["3", "4"])
  func `what was under way at a reload is told, and what it changes goes on`(count: String) throws {
    func graphs(_ count: String) -> String {
      """
      d:
        durable: true
        signals:
          in: {input: {}}
          few: {from: in, pipe: [{take: \(count)}], replay: 10}
      p: {signals: {heard: {from: d.few, replay: 10}}}
      """
    }
    let host = try DurableHost(graphs("2"))
    host.send(.number(1), to: "d.in")
    host.settle()
    host.send(.number(2), to: "d.in")
    host.turn()
    try host.reload(graphs(count), settling: false)
    host.send(.number(3), to: "d.in")
    host.settle()
    #expect(host.told(of: "d.few") == ["d.few 1 1", "d.few 2 2", "d.few completed", "d.few 3 3"])
    #expect(host.main.signal(named: "d.few")?.retained.count == 1)
    #expect(host.main.signal(named: "p.heard")?.retained.latest(1).first?.payload.value == 3)
  }

  @Test func `numbers go on where a reload makes a graph durable, and where it does not any more`() throws {
    func graphs(_ isDurable: Bool) -> String {
      "g: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}}, b: {from: a, replay: 10}}}"
    }
    let host = try DurableHost(graphs(false))
    for value in 1...3 { host.send(.number(Double(value)), to: "g.a") }
    try host.reload(graphs(true))
    host.send(.number(4), to: "g.a", message: "m")
    host.settle()
    host.send(.number(5), to: "g.a")
    try host.reload(graphs(false), settling: false)
    host.send(.number(6), to: "g.a")
    host.settle()
    try host.reload(graphs(true))
    try host.kill()
    host.send(.number(7), to: "g.a")
    host.settle()
    for name in ["g.a", "g.b"] { #expect(host.told(of: name) == (1...7).map { "\(name) \($0) \($0)" }) }
    #expect(host.answers == ["m 4", "g.a 5", "g.a 7"])
  }

  @Test func `a lazy signal that somebody listens to goes on where a reload makes it durable`() throws {
    func graphs(_ isDurable: Bool) -> String {
      "g: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}}, b: {from: a, lazy: true}}}"
    }
    let host = try DurableHost(graphs(false))
    host.main.attach(to: try #require(host.main.signal(named: "g.b")))
    host.send(.number(1), to: "g.a")
    for (value, isDurable) in [(2, true), (3, false), (4, true)] {
      try host.reload(graphs(isDurable))
      host.send(.number(Double(value)), to: "g.a")
      host.settle()
    }
    #expect(host.told(of: "g.b") == (1...4).map { "g.b \($0) \($0)" })
  }
}
