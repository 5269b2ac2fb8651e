import Foundation
import GraphStories
import SignalGraph
import TestSupport
import Testing

/// A graph that is thrown away and goes on between all steps and timers says what one says that just runs.
///
/// `RESTARTED_GRAPHS` says how many further ones there are to be, and `RESTARTED_FROM` which is the first of them.
@Suite struct RestartOracleTests {
  private static let further = TestAmount.number("RESTARTED_GRAPHS") ?? 0
  private static let first = TestAmount.number("RESTARTED_FROM") ?? 1001

  /// Those that have failed once: a race whose memory kept its timer at work.
  private static let memorable = [1301]

  @Test(arguments: Array(1...40) + memorable + Array(first..<first + further))
  func `a random graph goes on from its state as if nothing had been between`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed).story
    guard try story.fault() != nil else { return }
    let least = story.shrunk { try $0.fault() }
    Issue.record("seed \(seed): \((try least.fault()) ?? "")\n\(least)")
  }
}
