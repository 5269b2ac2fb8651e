import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// The guarantees of durable graphs where two of their features coincide with a kill.
@Suite struct CrossedKillTests {
  private static let sums = """
    g:
      durable: true
      signals:
        in: {input: {endable: true}, replay: 10}
        sum: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], replay: 10}
        rest: {from: in, pipe: [{take: 2}], replay: 10}
    """

  /// The progress of the last entries when the daemon is killed.
  enum Moment: CaseIterable { case told, written, lost }

  /// Kills a host; with `again` the possibly lost entries are sent again.
  private func kill(_ host: DurableHost, at moment: Moment, then graphs: String? = nil, _ again: () -> Void) throws {
    switch moment {
    case .told: host.settle()
    case .written:
      host.turn()
      host.waitUntilWritten()
    case .lost: break
    }
    try host.kill(then: graphs)
    again()
    host.settle()
  }

  @Test(arguments: Moment.allCases)
  func `several values in one message are carried out once`(moment: Moment) throws {
    let host = try DurableHost(Self.sums)
    func send() { host.send(values: [1, 2, 3], to: "g.in", message: "m") }
    send()
    try kill(host, at: moment, send)
    #expect(host.told(of: "g.sum") == ["g.sum 1 1", "g.sum 2 3", "g.sum 3 6"])
    #expect(host.told(of: "g.rest").suffix(1) == (moment == .written ? ["g.rest 2 2"] : ["g.rest completed"]))
    #expect(host.answers.last == (moment == .lost ? "m 3" : "m 3 again"))
  }

  @Test(arguments: Moment.allCases)
  func `the name of a message to another signal is refused, and nothing is lost under it`(moment: Moment) throws {
    let host = try DurableHost(
      "g: {durable: true, signals: {a: {input: {}, replay: 9}, b: {input: {}, replay: 9}}}\n"
        + "h: {durable: true, signals: {a: {input: {}, replay: 9}}}")
    func send() { host.send(.number(1), to: "g.a", message: "m") }
    send()
    try kill(host, at: moment, send)
    host.send(.number(2), to: "g.b", message: "m")
    #expect(host.answers.last == "m refused")
    host.send(.number(2), to: "g.b", message: "other")
    host.send(.number(3), to: "h.a", message: "m")
    host.settle()
    #expect(host.answers.suffix(2) == ["other 1", "m 1"])
    #expect(host.told == ["g.a 1 1", "g.b 1 2", "h.a 1 3"])
  }

  @Test(arguments: Moment.allCases)
  func `an ending with a name is carried out once, and answered as the first time`(moment: Moment) throws {
    let host = try DurableHost(Self.sums)
    host.send(.number(1), to: "g.in")
    host.settle()
    func end() { host.end("g.in", with: .completed, message: "end") }
    end()
    try kill(host, at: moment, end)
    #expect(host.main.signal(named: "g.sum")?.ending == .completed)
    #expect(host.answers.last == (moment == .lost ? "end 1" : "end 1 again"))
  }

  @Test(arguments: [Moment.told, .written])
  func `what was restarted continues`(moment: Moment) throws {
    let host = try DurableHost(Self.sums)
    host.send(values: [1, 2], to: "g.in", message: nil)
    host.settle()
    host.restart("g.rest")
    host.send(.number(3), to: "g.in")
    try kill(host, at: moment) {}
    host.send(.number(4), to: "g.in")
    host.settle()
    // It receives the two retained values, and so ends again at once.
    #expect(host.main.signal(named: "g.rest")?.ending == .completed)
    #expect(host.main.signal(named: "g.rest")?.sequence == 4)
    #expect(host.told(of: "g.sum").last == "g.sum 4 10")
  }

  @Test func `a signal that ends while others ask for a restart stands with clients as in its graph`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          a: {input: {endable: true}}
          b: {input: {endable: true}}
          both: {merge: [a, b], replay: 10}
          late: {from: b, replay: 10}
      """)
    host.end("g.a", with: .completed)
    host.settle()
    // This end was not delivered when another client restarts the other signal.
    host.end("g.b", with: .completed)
    host.restart("g.a")
    host.settle()
    host.send(.number(1), to: "g.a")
    host.settle()
    for signal in host.main.signals {
      let original = host.present.durable.runtime.signal(named: signal.name)
      #expect(signal.ending == original?.ending, "\(signal.name)")
      #expect(signal.sequence == original?.sequence, "\(signal.name)")
    }
    #expect(host.told(of: "g.both").last == "g.both 1 1")
  }

  @Test func `a signal that others have restarted is left alone`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          a: {input: {endable: true}}
          sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
      h: {signals: {sum: {from: g.a, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}}}
      """)
    host.end("g.a", with: .completed)
    host.settle()
    host.restart("g.a")
    host.send(.number(5), to: "g.a")
    // This client has not received the other's restart.
    host.restart("g.a")
    host.settle()
    host.send(.number(1), to: "g.a")
    host.settle()
    #expect(host.told(of: "g.a") == ["g.a completed", "g.a 1 5", "g.a 2 1"])
    for sum in ["g.sum", "h.sum"] { #expect(host.told(of: sum) == ["\(sum) completed", "\(sum) 1 5", "\(sum) 2 6"]) }
  }

  @Test(arguments: Moment.allCases)
  func `a graph that a reload makes durable is so, and one that it makes ordinary restarts`(
    moment: Moment
  ) throws {
    func graphs(_ isDurable: Bool) -> String {
      Self.sums + "\nh: {\(isDurable ? "durable: true, " : "")signals: {a: {input: {}, replay: 10}}}"
    }
    let host = try DurableHost(graphs(false))
    host.send(.number(1), to: "h.a")
    host.settle()
    try host.reload(graphs(true))
    host.send(.number(2), to: "h.a", message: "m")
    try kill(host, at: moment) { host.send(.number(2), to: "h.a", message: "m") }
    #expect(host.main.signal(named: "h.a")?.retained.count == 1)
    #expect(host.answers.last?.hasSuffix("again") == (moment != .lost))
    try host.reload(graphs(false))
    host.send(.number(3), to: "h.a")
    try host.kill(then: graphs(false))
    #expect(host.main.signal(named: "h.a")?.retained.isEmpty == true)
    host.send(.number(4), to: "h.a")
    #expect(host.told(of: "h.a").last?.hasSuffix(" 4") == true)
  }

  @Test(arguments: Moment.allCases)
  func `a property and groups with a time to live continue`(moment: Moment) throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          p: {property: {initial: 1}}
          n:
            from: p
            pipe: [{group_by: {key: ". % 2", idle: 2s, pipe: [{scan: {initial: 0, next: $state + 1}}]}}]
            replay: 10
      """)
    host.send(.number(3), to: "g.p")
    host.advance(by: .seconds(1))
    func send() { host.send(.number(5), to: "g.p", message: "m") }
    send()
    try kill(host, at: moment, send)
    host.advance(by: .seconds(1))
    host.send(.number(7), to: "g.p")
    host.settle()
    host.advance(by: .seconds(3))
    try host.kill()
    host.send(.number(9), to: "g.p")
    host.settle()
    #expect(host.main.signal(named: "g.p")?.retained.last?.payload.value == 9)
    #expect(host.told(of: "g.n") == ["g.n 1 1", "g.n 2 2", "g.n 3 3", "g.n 4 4", "g.n 5 1"])
  }
}

extension DurableHost {
  fileprivate func send(values: [Double], to name: String, message: String?) {
    guard let signal = main.signal(named: name) else { return }
    send(.values(values.map { .value(.number($0)) }), to: signal, message: message)
  }
}
