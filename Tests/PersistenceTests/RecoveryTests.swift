import Foundation
import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Durable graphs that are killed resume from disk.
@Suite struct RecoveryTests {
  private static let home = """
    home:
      durable: true
      signals:
        temp: {input: {endable: true}, replay: 100}
        mean: {from: temp, pipe: [{buffer: {count: 3, every: 1}}, {map: "add / length"}], replay: 100}
        hot: {from: mean, pipe: [{filter: ". > 20"}, {debounce: 1s}], replay: 100}
        count: {from: temp, pipe: [{scan: {initial: 0, next: "$state + 1"}}], replay: 100}
        mode: {property: {initial: day}}
    """

  @Test func `values, numbers, memories and timers continue`() throws {
    let host = try DurableHost(Self.home)
    for value in [30, 31] as [Double] { host.send(.number(value), to: "home.temp") }
    host.settle()
    try host.kill()
    host.send(.number(32), to: "home.temp")
    host.settle()
    #expect(host.told(of: "home.mean") == ["home.mean 1 31"])
    host.advance(by: .milliseconds(500))
    try host.kill()
    host.advance(by: .milliseconds(499))
    #expect(host.told(of: "home.hot").isEmpty)
    host.advance(by: .milliseconds(1))
    #expect(host.told(of: "home.hot") == ["home.hot 1 31"])
    #expect(host.told(of: "home.count") == ["home.count 1 1", "home.count 2 2", "home.count 3 3"])
  }

  @Test func `time that has passed meanwhile has passed`() throws {
    let host = try DurableHost(Self.home)
    for value in [30, 31, 32] as [Double] { host.send(.number(value), to: "home.temp") }
    host.settle()
    try host.kill(passing: .seconds(60))
    #expect(host.told(of: "home.hot") == ["home.hot 1 31"])
  }

  /// The ways in which durable graphs learn late that time has passed.
  enum Delay: CaseIterable { case heldUp, killed, killedAfterwards }

  @Test(arguments: Delay.allCases)
  func `what was due meanwhile is done by due time, also within other operators`(delay: Delay) throws {
    let host = try DurableHost(
      """
      home:
        durable: true
        signals:
          in: {input: {}}
          groups: {from: in, pipe: [{group_by: {key: ., max_keys: 9, pipe: [{debounce: 300ms}, {map: '["group", .]'}]}}]}
          idle: {from: in, pipe: [{group_by: {key: ., idle: 305ms, pipe: [last, {map: '["idle", .]'}]}}]}
          held: {from: in, pipe: [{delay: 310ms}, {map: '["held", .]'}]}
          runs: {from: in, pipe: [{flat_map: {merge: {timer: 315ms, pipe: [{map: '["run", $value]'}]}}}]}
          all: {merge: [runs, held, idle, groups], pipe: [{map: 'join(" ")'}], replay: 100}
      """)
    for value in ["a", "b", "a"] {
      host.send(.string(value), to: "home.in")
      host.advance(by: .milliseconds(20))
    }
    if delay == .killed { try host.kill(passing: .seconds(2)) } else { host.advance(by: .seconds(2)) }
    if delay == .killedAfterwards { try host.kill() }
    let values = host.main.signal(named: "home.all")?.retained.latest(100).map { "\($0.payload.value)" }
    #expect(
      values
        == [
          "held a", "run a", "group b", "idle b", "held b", "run b", "group a", "idle a", "held a", "run a",
        ].map { "\"\($0)\"" })
  }

  @Test func `nothing is emitted before it is on disk`() throws {
    let host = try DurableHost(Self.home)
    host.send(.number(1), to: "home.temp")
    #expect(host.told(of: "home.temp").isEmpty)
    #expect(host.answers.isEmpty)
    host.settle()
    #expect(host.told(of: "home.temp") == ["home.temp 1 1"])
    #expect(host.answers == ["home.temp 1"])
  }

  @Test func `a message that is sent again does nothing more, also in another life`() throws {
    let host = try DurableHost(Self.home)
    host.send(.number(1), to: "home.temp", message: "m1")
    host.send(.number(1), to: "home.temp", message: "m1")
    host.settle()
    try host.kill()
    host.send(.number(1), to: "home.temp", message: "m1")
    host.send(.number(2), to: "home.temp", message: "m2")
    host.settle()
    #expect(host.answers == ["m1 1", "m1 1 again", "m1 1 again", "m2 2"])
    #expect(host.told(of: "home.temp") == ["home.temp 1 1", "home.temp 2 2"])
  }

  @Test func `a message is known for as long as the graph declares`() throws {
    let host = try DurableHost(
      """
      g:
        durable: {message_ids: {for: 1m, count: 2}}
        signals: {a: {input: {}}}
      """)
    for message in ["1", "2", "3", "1"] { host.send(.number(0), to: "g.a", message: message) }
    host.advance(by: .seconds(61))
    host.send(.number(0), to: "g.a", message: "5")
    host.send(.number(0), to: "g.a", message: "1")
    host.settle()
    #expect(host.answers == ["1 1", "2 2", "3 3", "1 4", "5 5", "1 6"])
  }

  @Test func `what was not written was not emitted, and can be sent again`() throws {
    let host = try DurableHost(Self.home)
    host.send(.number(1), to: "home.temp", message: "m1")
    try host.kill()
    #expect(host.told(of: "home.temp").isEmpty)
    host.send(.number(1), to: "home.temp", message: "m1")
    host.settle()
    #expect(host.told(of: "home.temp") == ["home.temp 1 1"])
  }

  @Test func `an ending is kept`() throws {
    let host = try DurableHost(Self.home)
    host.end("home.temp", with: .completed)
    host.settle()
    try host.kill()
    host.send(.number(1), to: "home.temp")
    #expect(host.answers == ["home.temp 0", "home.temp refused"])
    #expect(host.main.signal(named: "home.count")?.ending == .completed)
  }

  @Test func `values of other graphs are input, and those graphs receive what is on disk`() throws {
    let host = try DurableHost(
      """
      lab:
        signals:
          raw: {input: {}}
          double: {from: raw, pipe: [{map: ". * 2"}]}
          back: {from: sum.all, pipe: [{map: "-."}]}
      sum:
        durable: true
        signals:
          all: {from: lab.double, pipe: [{scan: {initial: 0, next: "$state + ."}}], replay: 10}
      """)
    host.send(.number(1), to: "lab.raw")
    host.send(.number(2), to: "lab.raw")
    host.turn()
    #expect(host.told(of: "lab.back").isEmpty)
    host.settle()
    #expect(host.told(of: "lab.back") == ["lab.back 1 -2", "lab.back 2 -6"])
    try host.kill()
    host.send(.number(5), to: "lab.raw")
    host.settle()
    #expect(host.told(of: "sum.all") == ["sum.all 1 2", "sum.all 2 6", "sum.all 3 16"])
  }

  @Test func `values that are sent across enter the other graph as turns of their own`() throws {
    let host = try DurableHost(
      """
      plain:
        signals:
          in: {input: {}, pipe: [{send_to: kept.in}]}
          out: {input: {type: number}, replay: 10}
      kept:
        durable: true
        signals:
          in: {input: {type: number}, pipe: [{send_to: plain.out}], replay: 10}
      """)
    host.send(.number(1), to: "plain.in")
    host.send(.string("x"), to: "plain.in")
    host.settle()
    try host.kill()
    host.send(.number(2), to: "plain.in")
    host.settle()
    #expect(host.told(of: "kept.in") == ["kept.in 1 1", "kept.in 2 2"])
    #expect(host.told(of: "plain.out") == ["plain.out 1 1", "plain.out 1 2"])
    #expect(host.refusals.map(\.failure.code) == ["bad_value"])
  }

  @Test func `a signal that ended in another graph is connected again in the next life`() throws {
    let host = try DurableHost(
      """
      plain:
        signals: {in: {input: {endable: true}}}
      kept:
        durable: true
        signals: {all: {merge: [plain.in, other], replay: 10}, other: {input: {}}}
      """)
    host.send(.number(1), to: "plain.in")
    host.end("plain.in", with: .completed)
    host.settle()
    try host.kill()
    host.send(.number(2), to: "plain.in")
    host.send(.number(3), to: "kept.other")
    host.settle()
    #expect(host.told(of: "kept.all") == ["kept.all 1 1", "kept.all 2 2", "kept.all 3 3"])
  }

  @Test func `signals that another configuration declares otherwise restart, the others continue`() throws {
    let host = try DurableHost(Self.home)
    for value in [30, 31] as [Double] { host.send(.number(value), to: "home.temp") }
    host.settle()
    try host.kill(then: Self.home.replacing("$state + 1", with: "$state + 10"))
    host.send(.number(32), to: "home.temp")
    host.settle()
    // It gets the retained values, like any new subscriber.
    #expect(
      host.told(of: "home.count").suffix(3) == ["home.count 3 10", "home.count 4 20", "home.count 5 30"])
    #expect(host.told(of: "home.mean") == ["home.mean 1 31"])
  }

  @Test func `a reload is kept`() throws {
    let host = try DurableHost(Self.home)
    for value in [30, 31] as [Double] { host.send(.number(value), to: "home.temp") }
    try host.reload(Self.home.replacing("$state + 1", with: "$state + 10"))
    host.send(.number(32), to: "home.temp")
    host.settle()
    try host.kill(then: Self.home.replacing("$state + 1", with: "$state + 10"))
    host.send(.number(33), to: "home.temp")
    host.settle()
    #expect(
      host.told(of: "home.count").suffix(4) == [
        "home.count 3 10", "home.count 4 20", "home.count 5 30", "home.count 6 40",
      ])
  }

  @Test(arguments: 0..<4) func `reloads that follow at once leave a whole state, whenever it ends`(pause: Int) throws {
    let host = try DurableHost(Self.home)
    func declared(_ step: Int) -> String { Self.home.replacing("$state + 1", with: "$state + \(step)") }
    var sent = 0
    func send() {
      sent += 1
      host.send(.number(Double(sent)), to: "home.temp", message: "\(sent)")
    }
    for step in 2...6 {
      send()
      host.turn()
      send()
      try host.reload(declared(step), settling: false)
      send()
      if step % 4 == pause { try host.kill(then: declared(step)) }
    }
    for message in 1...sent { host.send(.number(Double(message)), to: "home.temp", message: "\(message)") }
    host.settle()
    // The lost ones arrive later, each of them once.
    let told = host.told(of: "home.temp").map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(told.map { $0[0] }.sorted() == Array(1...sent))
    #expect(told.map { $0[1] }.sorted() == Array(1...sent))
  }

  @Test func `lazy signals stop with their subscribers`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          in: {input: {}}
          sums: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], lazy: true, replay: 10}
      """)
    let sums = try #require(host.main.signal(named: "g.sums"))
    host.main.attach(to: sums)
    host.settle()
    host.send(.number(1), to: "g.in")
    host.send(.number(2), to: "g.in")
    host.settle()
    try host.kill()
    host.send(.number(3), to: "g.in")
    host.settle()
    host.main.attach(to: try #require(host.main.signal(named: "g.sums")))
    host.send(.number(4), to: "g.in")
    host.settle()
    #expect(host.told(of: "g.sums") == ["g.sums 1 1", "g.sums 2 3", "g.sums 3 4"])
  }

  @Test func `cold signals of durable graphs run for their subscribers`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          in: {input: {}}
          cold: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], cold: true}
          sums: {from: cold, replay: 10}
      """)
    host.send(.number(1), to: "g.in")
    host.settle()
    try host.kill()
    host.send(.number(2), to: "g.in")
    host.settle()
    #expect(host.told(of: "g.sums") == ["g.sums 1 1", "g.sums 2 3"])
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other)
  }
}
