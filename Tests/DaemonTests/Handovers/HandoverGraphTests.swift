import Foundation
import GraphStories
import TestSupport
import Testing

/// A daemon that is replaced goes on with its graphs, whatever they are made of, and with its clients.
///
/// `HANDOVERS` says how often the daemon is replaced in all, and `HANDOVERS_FROM` which graph is the first.
@Suite(.serialized) struct HandoverGraphTests {
  private static let perRound = 15
  private static let handovers = number("HANDOVERS") ?? 45
  private static let first = number("HANDOVERS_FROM") ?? 1

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test(arguments: first..<first + (handovers + perRound - 1) / perRound)
  func `each client is told what a run says that nobody replaced`(seed: Int) throws {
    let (lines, heard) = KillTests.signals(seed)
    let graphs = KillTests.graphs(lines, isDurable: seed.isMultiple(of: 3))
    let round = try KillRound(graphs, hearing: heard, seed: seed, isReplaced: true)
    while round.handovers < Self.perRound {
      try round.play { random, name in
        let to = Int.random(in: 0..<4, using: &random)
        return #"{"name": "\#(name)", "to":\#(to), "value":\#(Int.random(in: 0..<1000, using: &random))}"#
      }
    }
    try round.finish()
    let entered = round.clients[0].events(of: "g.in")
    let straight = try KillTests.straight(lines, entered)
    for client in round.clients {
      #expect(client.faults == [])
      #expect(client.duplicates == 0)
      for signal in heard {
        #expect(
          client.events(of: signal) == straight[signal] ?? [], "\(signal) of graph \(seed), told to \(client.name)")
      }
    }
  }
}
