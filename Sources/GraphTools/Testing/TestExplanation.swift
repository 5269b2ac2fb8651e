import GraphModel
import Signals

/// A deviation from a test's expectation.
struct TestSurprise {
  /// See `Expectation.subject`.
  let subject: String
  let time: Duration
  /// The unexpected event; `nil` for a missing one.
  let event: SignalEvent?
}

/// Explains a deviation from a test's expectation.
struct TestExplanation {
  private let test: GraphTest
  private let declarations: DeclarationsInView
  /// Repeats the test under a watch.
  private let run: (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) -> Void

  /// The number of inputs listed before a missing event.
  private static let turnsBefore = 3

  init(
    _ test: GraphTest, _ declarations: DeclarationsInView,
    _ run: @escaping (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) -> Void
  ) {
    (self.test, self.declarations, self.run) = (test, declarations, run)
  }

  /// Returns the explanation; empty if the subject is a subscriber or an action's calls.
  func lines(for surprise: TestSurprise) -> [MarkedText] {
    let name = surprise.subject
    guard declarations.declaration(of: name) != nil else { return [] }
    switch surprise.event {
    case .next(_, let sequence)?: return lines(of: Explainer(name, .number(sequence), declarations))
    case .ended?: return lines(of: Explainer(name, .ending, declarations))
    case nil: return silence(of: Explainer(name, .last, declarations), surprise)
    }
  }

  private func lines(of explainer: Explainer) -> [MarkedText] {
    guard let explanation = explainer.explanation(depth: 0, run) else { return [] }
    let text = ExplanationText(explanation, origin: origin) { .sinceStart($0.instant - .zero) }
    return [MarkedText("why:")] + text.lines.map { "  " + $0 }
  }

  private func silence(of explainer: Explainer, _ surprise: TestSurprise) -> [MarkedText] {
    let moment = test.start + Int64(surprise.time / .microseconds(1))
    let silence = explainer.silence(around: moment, before: Self.turnsBefore, after: 0) { run($0) { false } }
    let text = SilenceText(silence, of: surprise.subject, origin: origin) { instant, _ in .sinceStart(instant - .zero) }
    return [MarkedText("why nothing:")] + text.lines.map { "  " + $0 }
  }

  private func origin(_ entry: Int) -> EntryOrigin? {
    switch entry {
    case TestRun.startEntry: return EntryOrigin(.start)
    case TestRun.timeEntry: return EntryOrigin(.timers)
    default:
      let action = test.steps[entry - 1].action
      if case .end(let name, _, _) = action { return EntryOrigin(.ended, signal: name) }
      return EntryOrigin(.sent, signal: action.subject)
    }
  }
}
