import Foundation
import GraphStories
import TestSupport
import Testing

/// A graph that is discarded and resumed between all steps and timers emits the events of an undisturbed one.
///
/// `RESTARTED_GRAPHS` is the number of additional ones, and `RESTARTED_FROM` the first of them.
@Suite struct RestartOracleTests {
  /// Regressions: a race whose memory kept its timer running.
  private static let memorable = [1301]

  @Test(arguments: memorable + RandomSeeds.first(20, further: "RESTARTED_GRAPHS", from: "RESTARTED_FROM"))
  func `a random graph resumes from its state as if nothing had been between`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed).story
    guard try story.fault() != nil else { return }
    let least = story.shrunk { try $0.fault() }
    Issue.record("seed \(seed): \((try least.fault()) ?? "")\n\(least)")
  }
}
