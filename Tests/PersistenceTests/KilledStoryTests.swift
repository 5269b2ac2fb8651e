import Foundation
import GraphStories
import TestSupport
import Testing

/// Durable graphs that are killed at any moment emit the events of undisturbed ones.
///
/// `KILLED_GRAPHS` is the number of additional graphs, and `KILLED_FROM` the first of them.
@Suite struct KilledStoryTests {
  private static let seeds = RandomSeeds.first(15, further: "KILLED_GRAPHS", from: "KILLED_FROM")

  @Test(arguments: seeds)
  func `a random durable graph that is killed emits what it emits without that`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed, .durable).story
    guard try KilledStory.fault(of: story) != nil else { return }
    let least = story.shrunk(KilledStory.fault)
    Issue.record("seed \(seed): \((try KilledStory.fault(of: least)) ?? "")\n\(least)")
  }

  @Test(arguments: seeds)
  func `what a random durable graph and another one make of each other is kept whole`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed, .mixed).story
    guard try MixedStory.fault(of: story) != nil else { return }
    let least = story.shrunk(MixedStory.fault)
    Issue.record("seed \(seed): \((try MixedStory.fault(of: least)) ?? "")\n\(least)")
  }
}
