import Foundation
import GraphStories
import Linux
import TestSupport
import Testing

/// Clients of every kind receive byte for byte the same output, whether or not the daemon is replaced meanwhile.
///
/// `HANDOVERS` is the number of rounds, and `HANDOVERS_FROM` the first of them.
@Suite(.serialized) struct HandoverClientTests {
  private static let perRound = 20
  private static let handovers = TestAmount.number("HANDOVERS") ?? TestAmount.scaled(40)
  private static let first = TestAmount.number("HANDOVERS_FROM") ?? 1

  private static let straight = Result { try HandoverRound(seed: 1).play(handovers: 0) }

  /// A process that dies during the handover loses nothing: the service manager starts another one.
  @Test(.enabled(if: StandInManager.canHaveProcessesDie)) func `nor does it matter where the next process dies`() throws
  {
    var deaths = 0
    while true {
      let round = try HandoverRound(seed: deaths, StandInManager(), firstDeath: deaths + 1)
      Self.expect(try round.play(handovers: 12), like: try Self.straight.get())
      deaths += round.deaths
      if round.hasDiedEverywhere { break }
    }
    #expect(deaths > 15, "it takes over in more steps than these")
  }

  @Test(arguments: first..<first + (handovers + perRound - 1) / perRound)
  func `each byte comes as if nothing had been`(seed: Int) throws {
    let straight = try Self.straight.get()
    let told = try HandoverRound(seed: seed).play(handovers: Self.perRound)
    Self.expect(told, like: straight)
  }

  private static func expect(_ told: [HandoverRound.Told], like straight: [HandoverRound.Told]) {
    for (one, other) in zip(told, straight) {
      if one.part.isExact {
        // Each daemon has an epoch of its own.
        let (told, before) = (one.lines.map(withoutEpoch), other.lines.map(withoutEpoch))
        let isSame = told == before
        let difference = zip(told, before).first { $0 != $1 }
        let lines = (difference?.0 ?? "\(told.count) lines", difference?.1 ?? "\(before.count) lines")
        #expect(isSame, "\(one.name): told \(lines.0), not \(lines.1)")
      } else {
        expectWhole(one)
      }
    }
  }

  private static func withoutEpoch(_ line: String) -> String {
    line.replacing(#/"epoch":"[0-9a-f]{16}"/#, with: #""epoch":"""#)
  }

  /// Checks that each value arrived or was counted as missing, and each call was answered once.
  private static func expectWhole(_ told: HandoverRound.Told) {
    func number(_ name: String, _ line: String) -> Int? {
      guard let name = line.firstRange(of: "\"\(name)\":") else { return nil }
      return Int(line[name.upperBound...].prefix { $0.isNumber })
    }
    if told.name.hasPrefix("slow") {
      var next = 1
      for line in told.lines.dropFirst() {
        if line.contains("lagged") {
          next += number("dropped", line) ?? 0
        } else {
          #expect(number("seq", line) == next, "\(line)")
          next += 1
        }
      }
      #expect(next == 701)
    } else {
      let ends = told.lines.filter { $0.contains(#""op":"call""#) || $0.contains(#"{"reply":"call""#) }
      #expect(ends.compactMap { number("id", $0) }.sorted() == Array(1...30), "\(told.lines)")
      for line in ends where line.contains("error") {
        #expect(line.contains(#""code":"restarted""#) || line.contains(#""code":"busy""#), "\(line)")
      }
    }
  }
}
