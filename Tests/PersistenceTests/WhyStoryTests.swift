import GraphEngine
import GraphModel
import GraphStories
import GraphTools
import JSON
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The explanation of a value names its necessary inputs: replaying them alone yields the same value.
///
/// `EXPLAINED_GRAPHS` is the number of additional random graphs, and `EXPLAINED_FROM` the first of them.
@Suite struct WhyStoryTests {
  @Test(arguments: RandomSeeds.first(10, further: "EXPLAINED_GRAPHS", from: "EXPLAINED_FROM"))
  func `each value of a random durable graph comes again of what its explanation names`(seed: Int) throws {
    let story = RandomDeclarations(seed: seed, .durable).story
    let yaml = story.yaml.replacing("durable: true", with: "durable: {history: {for: 7d}}")
    let host = try DurableHost(yaml: yaml, microseconds: 1_700_000_000_000_000, turnClock: .hasty(oneIn: 100))
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
          // Emitted when the graphs began, before the oldest snapshot.
          if case .noValue(let text) = error, text.contains("the history begins") || text.contains("was emitted at") {
            continue
          }
          throw error
        }
        let line = "\(signal.name) \(number) "
        if let told = host.told.last(where: { $0.hasPrefix(line) }), let value = why.explanation.value.event?.value {
          #expect(told == "\(line)\(value)", "seed \(seed)\n\(story)")
        }
        let isOfStart = why.explanation.entries == 0
        #expect(
          why.isVerified == (isOfStart ? nil : true), "seed \(seed): \(signal.name) \(number)\n\(story)\n\(why.text)")
        if !isOfStart {
          #expect(
            try Self.comesAgain(signal.name, number, why, past),
            "seed \(seed): \(signal.name) \(number) needs more than \(why.explanation.needed)\n\(story)\n\(why.text)")
        }
        guard case .signal = why.explanation.value.subject else {
          Issue.record("seed \(seed): \(signal.name) \(number) is not explained as a signal's value")
          continue
        }
      }
    }
  }

  /// True if the value is emitted, at its time, from the needed inputs alone with timers firing by themselves.
  private static func comesAgain(
    _ signal: String, _ number: UInt64, _ why: PastExplanation, _ past: LookingBack
  ) throws -> Bool {
    let (_, mark) = try past.find(.number(number))
    var isThere = false
    let span = try past.span(behind: mark) { replay in
      past.listen(to: replay) { isThere = isThere || $0.sequence >= number }
      return { isThere }
    }
    let replay = try span.beginning(nil)
    var emitted: [JSONValue] = []
    replay.durable.emissions.observer = { event, place in
      guard replay.durable.places[place].name == signal, let value = event.value else { return }
      emitted.append(value)
    }
    let needed = Set(why.explanation.needed)
    for (number, step) in span.recorded.enumerated() {
      let isTime = if case .timers = step.entry { true } else { false }
      guard isTime || needed.contains(number) else { continue }
      replay.perform(step.entry, at: step.time, numbered: number, reading: step.contents, repeating: step.cuts)
    }
    replay.durable.emissions.observer = nil
    return why.explanation.value.event?.value.map(emitted.contains) ?? true
  }
}

extension PastExplanation {
  /// The explanation as printed.
  var text: String {
    ExplanationText(explanation, origin: { origins[$0] }) { .moment(microseconds: $0.microseconds) }.lines
      .map(\.plain).joined(separator: "\n")
  }
}
