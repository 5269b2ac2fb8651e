import Foundation
import GraphStories
import TestSupport
import Testing

/// A replaced daemon resumes all kinds of graphs and its clients.
///
/// `HANDOVERS` is the total number of handovers, and `HANDOVERS_FROM` the first graph.
@Suite(.serialized) struct HandoverGraphTests {
  private static let perRound = 15
  private static let handovers = TestAmount.number("HANDOVERS") ?? TestAmount.scaled(45)
  private static let first = TestAmount.number("HANDOVERS_FROM") ?? 1

  @Test(arguments: first..<first + (handovers + perRound - 1) / perRound)
  func `each client receives what a run without handovers emits`(seed: Int) throws {
    let talk = RandomTalk(seed: seed)
    let graphs = talk.graphs(isDurable: seed.isMultiple(of: 3))
    let round = try KillRound(graphs, hearing: talk.heard, seed: seed, isReplaced: true)
    while round.handovers < Self.perRound { try round.play(RandomTalk.value) }
    try round.finish()
    try talk.expectTold(by: round)
    for client in round.clients { #expect(client.duplicates == 0) }
  }
}
