import Foundation
import GraphStories
import TestSupport
import Testing

/// Clients that send again and resume receive the events of an uninterrupted run, at whatever moments processes are
/// killed.
///
/// `KILLS` is the number of kills in each of the tests, and `KILLS_FROM` the first graph.
@Suite(.serialized) struct KillTests {
  private static let perRound = 20
  private static let kills = TestAmount.number("KILLS") ?? TestAmount.scaled(40)
  private static let first = TestAmount.number("KILLS_FROM") ?? 1

  @Test(arguments: first..<first + (kills + perRound - 1) / perRound)
  func `each client receives what a run without kills emits`(seed: Int) throws {
    let talk = RandomTalk(seed: seed)
    let round = try KillRound(talk.graphs(isDurable: true), hearing: talk.heard, seed: seed)
    while round.kills < Self.perRound { try round.play(RandomTalk.value) }
    try round.finish()
    try talk.expectTold(by: round)
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
    let round = try KillRound(RandomTalk.graphs(lines, isDurable: true), hearing: heard, seed: seed)
    while round.kills < Self.perRound { try round.play { _, name in #"{"name":"\#(name)"}"# } }
    try round.finish()
    let entered = round.clients[0].events(of: "g.in")
    for client in round.clients {
      #expect(client.faults == [])
      RandomTalk.expectAnswers(of: client, in: entered)
      #expect(client.events(of: "g.in") == entered)
      for signal in ["g.ticks", "g.count"] {
        let told = client.events(of: signal)
        #expect(told == told.indices.map { "\(signal)#\($0 + 1) \($0 + 1)" })
      }
      // All arrive, each once and in order, except those not yet due.
      let late = client.events(of: "g.late").map { $0.drop { $0 != "\"" } }
      #expect(late == entered.prefix(late.count).map { $0.drop { $0 != ":" }.dropFirst().dropLast() })
    }
  }
}
