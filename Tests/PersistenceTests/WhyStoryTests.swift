import GraphStories
import Journal
import TestSupport
import Testing

@testable import Persistence
@testable import SignalGraph

/// An explanation of a value names what it takes to get it: that alone, worked out again, gives the same value.
///
/// `EXPLAINED_GRAPHS` says how many further random graphs there are to be, and `EXPLAINED_FROM` which is the first.
@Suite struct WhyStoryTests {
  private static let further = TestAmount.number("EXPLAINED_GRAPHS") ?? 0
  private static let first = TestAmount.number("EXPLAINED_FROM") ?? 1001

  @Test(arguments: Array(1...25) + Array(first..<first + further))
  func `each value of a random durable graph comes again of what its explanation names`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed, .durable).story
    let yaml = story.yaml.replacing("durable: true", with: "durable: {history: {for: 7d}}")
    let host = try DurableHost(yaml: yaml, microseconds: 1_700_000_000_000_000)
    try host.play(story, killing: true)
    let folder = try host.copyOfState()
    let reader = try FolderReader(folder.path)
    for signal in host.main.signals where signal.declaration.isDurable && signal.sequence > 0 {
      for number in Set([1, signal.sequence / 2 + 1, signal.sequence]) {
        let past = try LookingBack(at: signal.name, in: reader)
        let why: PastExplanation
        do throws(LookingBack.Refusal) {
          why = try past.explanation(.number(number), depth: 1, verifies: true)
        } catch {
          // Told when the graphs began, of which only a snapshot tells.
          if case .noValue(let text) = error, text.contains("the past goes back") || text.contains("came about") {
            continue
          }
          throw error
        }
        let isOfStart = why.explanation.entries == 0
        #expect(
          why.isVerified == (isOfStart ? nil : true), "seed \(seed): \(signal.name) \(number)\n\(story)\n\(why.text)")
        guard case .signal = why.explanation.value.subject else {
          Issue.record("seed \(seed): \(signal.name) \(number) is not explained as a signal's value")
          continue
        }
      }
    }
  }
}

extension PastExplanation {
  /// As people are told of it.
  var text: String {
    ExplanationText(explanation, origin: { origins[$0] }) { .moment(microseconds: $0.microseconds) }.lines
      .map(\.plain).joined(separator: "\n")
  }
}
