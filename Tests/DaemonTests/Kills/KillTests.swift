import Foundation
import GraphStories
import SignalGraph
import TestSupport
import Testing

/// Clients that send again and go on where they were are told what an uninterrupted run says, whatever was killed when.
///
/// `KILLS` says how often daemons are killed in each of the tests, and `KILLS_FROM` which graph is the first.
@Suite(.serialized) struct KillTests {
  private static let perRound = 20
  private static let kills = number("KILLS") ?? 40
  private static let first = number("KILLS_FROM") ?? 1

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  /// A graph at random, whose inputs all get their values through one, which so gives them an order.
  static func signals(_ seed: Int) -> (lines: [String], heard: [String]) {
    var random = SplitMix(seed: UInt64(seed))
    let graph = RandomGraph(count: 14, using: &random)
    let routes = (0..<4).map {
      "to\($0): {from: in, pipe: [{filter: .to == \($0)}, {map: .value}, {send_to: s\($0)}]}"
    }
    let outs = graph.signals.indices.map { "out\($0): {from: s\($0), replay: 2000}" }
    let lines = graph.yaml.split(separator: "\n").map(String.init)
    return (
      lines + ["in: {input: {}, replay: 2000}"] + routes + outs, ["g.in"] + outs.indices.map { "g.out\($0)" }
    )
  }

  static func graphs(_ lines: [String], isDurable: Bool = true) -> String {
    "g:\n\(isDurable ? "  durable: true\n" : "")  signals:\n" + lines.map { "    \($0)\n" }.joined()
  }

  @Test(arguments: first..<first + (kills + perRound - 1) / perRound)
  func `each client is told what a run says that nobody killed`(seed: Int) throws {
    let (lines, heard) = Self.signals(seed)
    let round = try KillRound(Self.graphs(lines), hearing: heard, seed: seed)
    while round.kills < Self.perRound {
      try round.play { random, name in
        let to = Int.random(in: 0..<4, using: &random)
        return #"{"name": "\#(name)", "to":\#(to), "value":\#(Int.random(in: 0..<1000, using: &random))}"#
      }
    }
    try round.finish()
    let entered = round.clients[0].events(of: "g.in")
    let straight = try Self.straight(lines, entered)
    for client in round.clients {
      #expect(client.faults == [])
      expectAnswers(of: client, in: entered)
      for signal in heard {
        #expect(
          client.events(of: signal) == straight[signal] ?? [], "\(signal) of graph \(seed), told to \(client.name)")
      }
    }
  }

  /// What signals say in a run in which nothing happens but what has entered.
  static func straight(_ lines: [String], _ entered: [String]) throws -> [String: [String]] {
    let story = OracleStory(limits: KillRound.limits, signals: lines, steps: [])
    let graph = try OracleGraph(story.configuration, restarts: false)
    for event in entered {
      let value = event.drop { $0 != " " }.dropFirst()
      try graph.carryOut(.send("g.in", String(value)))
    }
    return Dictionary(grouping: graph.events) { String($0.prefix { $0 != "#" && $0 != " " }) }
  }

  /// Each message was carried out once, and answered with the number that it has made.
  private func expectAnswers(of client: PersistentClient, in entered: [String]) {
    for (number, sequence) in client.answers {
      let made = entered.filter { $0.contains("\"\(client.name)-\(number)\"") }
      #expect(made.count == 1 && made[0].hasPrefix("g.in#\(sequence) "), "message \(client.name)-\(number): \(made)")
    }
  }

  @Test(arguments: first..<first + (kills + perRound - 1) / perRound)
  func `with timers too nothing is lost or doubled`(seed: Int) throws {
    let lines = [
      "in: {input: {}, replay: 2000}",
      "ticks: {interval: 5ms, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 2000}",
      "late: {from: in, pipe: [{delay: 3ms}, {map: .name}], replay: 2000}",
      "quiet: {from: in, pipe: [{debounce: 2ms}], replay: 2000}",
      "heaps: {from: in, pipe: [{buffer: {time: 4ms}}, {map: length}], replay: 2000}",
      "count: {from: late, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 2000}",
    ]
    let heard = ["in", "ticks", "late", "quiet", "heaps", "count"].map { "g.\($0)" }
    let round = try KillRound(Self.graphs(lines), hearing: heard, seed: seed)
    while round.kills < Self.perRound { try round.play { _, name in #"{"name":"\#(name)"}"# } }
    try round.finish()
    let entered = round.clients[0].events(of: "g.in")
    for client in round.clients {
      #expect(client.faults == [])
      expectAnswers(of: client, in: entered)
      #expect(client.events(of: "g.in") == entered)
      for signal in ["g.ticks", "g.count"] {
        let told = client.events(of: signal)
        #expect(told == told.indices.map { "\(signal)#\($0 + 1) \($0 + 1)" })
      }
      // All come, each once and in their order, but for those that are not due yet.
      let late = client.events(of: "g.late").map { $0.drop { $0 != "\"" } }
      #expect(late == entered.prefix(late.count).map { $0.drop { $0 != ":" }.dropFirst().dropLast() })
    }
  }
}
