import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Durable graphs and others that a reload changes while they are connected.
@Suite struct ReloadedGraphTests {
  private static let property = "p: {signals: {v: {property: {initial: 5}}, held: {from: v, hold: true}}}"

  @Test(arguments: ["p.v", "p.held"])
  func `a durable signal that is connected to another graph receives what is held there`(heard: String) throws {
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

  @Test func `a durable signal that is connected to one that has ended ends`() throws {
    let host = try DurableHost("p: {signals: {v: {input: {endable: true}}}}\nd: {durable: true, signals: {}}")
    host.end("p.v", with: .completed)
    try host.reload("p: {signals: {v: {input: {endable: true}}}}\nd: {durable: true, signals: {late: {from: p.v}}}")
    #expect(host.told(of: "d.late") == ["d.late completed"])
  }

  @Test func `what another graph emits as a reload has it begin is received`() throws {
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

  @Test func `what is no longer durable restarts at once, and not again when the disk has caught up`() throws {
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
  func `what was under way at a reload is emitted, and what it changes continues`(count: String) throws {
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

  @Test func `numbers continue where a reload makes a graph durable, and where it makes it ordinary`() throws {
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

  @Test func `a number of the folder that only a mirror has meanwhile is given to no other value`() throws {
    func graphs(_ isDurable: Bool, _ heard: String) -> String {
      "g: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}}}}\n"
        + "h: {durable: true, signals: {in: {input: {}}, b: {from: \(heard)}}}"
    }
    let host = try DurableHost(graphs(true, "in"))
    for value in 1...3 { host.send(.number(Double(value)), to: "g.a") }
    host.settle()
    try host.reload(graphs(false, "in"))
    try host.kill()
    try host.reload(graphs(false, "g.a"))
    host.send(.number(4), to: "g.a")
    try host.reload(graphs(true, "g.a"))
    host.send(.number(5), to: "g.a")
    host.settle()
    #expect(host.told(of: "g.a") == ["g.a 1 1", "g.a 2 2", "g.a 3 3", "g.a 1 4", "g.a 4 5"])
    #expect(host.fallen.isEmpty)
  }

  @Test func `what a value leads to by way of another graph is emitted before its graph is no longer durable`() throws {
    func graphs(_ isDurable: Bool) -> String {
      "n: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}}, b: {from: k.a, replay: 9}}}\n"
        + "k: {signals: {a: {from: n.a}}}"
    }
    let host = try DurableHost(graphs(true))
    host.send(.number(1), to: "n.a")
    try host.reload(graphs(false), settling: false)
    #expect(host.told(of: "n.b") == ["n.b 1 1"])
    host.send(.number(2), to: "n.a")
    host.settle()
    host.send(.number(3), to: "n.a")
    #expect(host.told(of: "n.b") == ["n.b 1 1", "n.b 2 2", "n.b 3 3"])
    #expect(host.fallen.isEmpty)
  }

  @Test func `two graphs that send to each other do not hold a reload up`() throws {
    func graphs(_ isDurable: Bool) -> String {
      "n: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}}, b: {from: a, pipe: [{send_to: k.a}]}}}\n"
        + "k: {signals: {a: {input: {}}, b: {from: a, pipe: [{send_to: n.a}]}}}"
    }
    let host = try DurableHost(graphs(true))
    host.send(.number(1), to: "n.a")
    try host.reload(graphs(false), settling: false)
    host.settle()
    #expect(host.fallen.isEmpty)
  }

  @Test func `a lazy signal with a subscriber continues where a reload makes it durable`() throws {
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

  @Test(arguments: ["lazy: true", "replay: 9"])
  func `two graphs that swap which is durable keep receiving from each other`(trait: String) throws {
    func graphs(_ isFirst: Bool) -> String {
      """
      k:\(isFirst ? " {durable: true, " : " {")signals: {a: {input: {}}, between: {from: a, \(trait)}}}
      m:\(isFirst ? " {" : " {durable: true, ")signals: {heard: {from: k.between}}}
      """
    }
    let host = try DurableHost(graphs(true))
    for round in 1...6 {
      try host.reload(graphs(round % 2 == 0))
      host.send(.number(Double(round)), to: "k.a")
      host.settle()
    }
    #expect(host.told(of: "m.heard") == (1...6).map { "m.heard \($0) \($0)" })
    #expect(host.fallen.isEmpty)
  }

  @Test func `a reload while a commit is on its way leaves no dependent without the signals that begin with it`() throws
  {
    func graphs(_ more: String, _ heard: String) -> String {
      "m: {durable: true, signals: {a: {input: {}}\(more)}}\nk: {signals: {q: {input: {}}\(heard)}}"
    }
    let host = try DurableHost(graphs("", ""))
    host.send(.number(1), to: "m.a")
    host.turn()
    try host.reload(
      graphs(", i: {interval: 50ms, pipe: [{take: 3}]}", ", plain: {from: m.i, replay: 9}"), settling: false)
    host.settle()
    for _ in 1...3 { host.advance(by: .milliseconds(50)) }
    #expect(host.told(of: "k.plain") == ["k.plain 1 0", "k.plain 2 1", "k.plain 3 2", "k.plain completed"])
    try host.handOver()
    #expect(host.logged.isEmpty && host.main.signal(named: "k.plain")?.retained.count == 3)
  }

  @Test func `what was under way at a reload is received, and is forgotten by what restarts`() throws {
    func graphs(_ next: String) -> String {
      """
      m: {durable: true, signals: {a: {input: {}, replay: \(next)}}}
      k: {signals: {sum: {from: m.a, pipe: [{scan: {initial: 0, next: $state + .}}]}}}
      n: {durable: true, signals: {heard: {from: k.sum, replay: 9}}}
      """
    }
    let host = try DurableHost(graphs("1"))
    host.send(.number(1), to: "m.a")
    host.turn()
    try host.reload(graphs("2"), settling: false)
    host.settle()
    host.send(.number(5), to: "m.a")
    host.settle()
    #expect(host.told(of: "k.sum") == ["k.sum 1 1", "k.sum 2 5"])
    #expect(host.told(of: "n.heard") == ["n.heard 1 1", "n.heard 2 5"])
  }

  @Test func `a value that is on its way to a graph which a reload makes durable arrives`() throws {
    func graphs(_ isDurable: Bool) -> String {
      """
      m: {durable: true, signals: {a: {input: {}, pipe: [{send_to: k.in}]}}}
      k: {\(isDurable ? "durable: true, " : "")signals: {in: {input: {}}, out: {from: in}}}
      """
    }
    let host = try DurableHost(graphs(false))
    host.send(.number(1), to: "m.a")
    host.turn()
    try host.reload(graphs(true), settling: false)
    host.settle()
    #expect(host.told(of: "k.out") == ["k.out 1 1"] && host.refusals.isEmpty)
  }

  @Test func `a signal that is not durable any more speaks for no other`() throws {
    let host = try DurableHost(
      "m: {durable: true, signals: {gone: {input: {}}, other: {input: {}}}}\nn: {durable: true, signals: {c: {input: {}}}}"
    )
    host.send(.number(1), to: "n.c")
    host.settle()
    let graphs = """
      m: {durable: true, signals: {other: {input: {}}, heard: {from: n.c, replay: 9}, last: {input: {}}}}
      n: {signals: {c: {input: {}}}}
      """
    try host.reload(graphs)
    host.send(.number(2), to: "n.c")
    host.settle()
    #expect(host.told == ["n.c 1 1", "n.c 2 2", "m.heard 1 2"])
    // Replaying the log yields the same state.
    try host.kill()
    #expect(host.main.signal(named: "m.heard")?.retained.count == 1 && host.told.count == 3)
  }

  @Test func `no number falls within an epoch, however often a signal changes between two`() throws {
    func graphs(_ isDurable: Bool, _ isThere: Bool = true) -> String {
      "g: {\(isDurable ? "durable: true, " : "")signals: {b: {input: {}}\(isThere ? ", a: {input: {}}" : "")}}\n"
        + "h: {durable: true, signals: {heard: {\(isThere ? "from: g.a" : "input: {}")}}}"
    }
    let host = try DurableHost(graphs(true))
    func send(_ count: Int) {
      for _ in 1...count { host.send(.number(1), to: "g.a") }
      host.settle()
    }
    func number() -> UInt64? { host.main.signal(named: "g.a")?.sequence }
    send(5)
    try host.reload(graphs(false))
    try host.kill()
    send(2)
    #expect(number() == 2)
    // The mirror counts from the folder's state, before its first value.
    try host.reload(graphs(true))
    #expect(number() == 5)
    try host.handOver()
    try host.reload(graphs(false))
    send(1)
    try host.reload(graphs(false, false))
    try host.reload(graphs(true))
    send(1)
    try host.kill(then: graphs(false))
    send(1)
    try host.kill(then: graphs(true))
    send(1)
    #expect(host.fallen == [])
  }
}
