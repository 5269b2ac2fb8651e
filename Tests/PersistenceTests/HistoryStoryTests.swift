import GraphStories
import JSON
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The history of random durable graphs can always be generated as a test, with known exceptions.
@Suite struct HistoryStoryTests {
  @Test(arguments: 1...25)
  func `what a random durable graph did is a test that it passes`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed, .durable).story
    let host = try DurableHost(yaml: story.yaml, microseconds: Self.beginning)
    try host.play(story)
    let folder = try host.copyOfState()
    let reader = try FolderReader(folder.path)
    for since in [0, 4] {
      do throws(HistoryTest.Refusal) {
        let request = HistoryTest.Request(
          name: "story", since: Self.beginning + Int64(since) * 500_000, until: nil, patterns: [])
        let test = try HistoryTest(request, from: reader)
        let failures = (try? HistoryTestTests.failures(of: test, yaml: story.yaml, restarts: since > 0)) ?? ["refused"]
        #expect(failures == [], "since \(since): \(story)")
      } catch {
        if case .untellable(let reason) = error, Self.isExpected(reason, story) { continue }
        Issue.record("since \(since): \(error)\n\(story)")
      }
    }
  }

  /// True if the history is empty, or contains the time of day, which differs in a test.
  private static func isExpected(_ reason: String, _ story: OracleStory) -> Bool {
    reason.hasPrefix("no values emitted")
      || ["timestamp", "timezone", "every: '"].contains(where: story.yaml.contains)
  }

  private static let beginning: Int64 = 1_700_000_000_000_000
}
