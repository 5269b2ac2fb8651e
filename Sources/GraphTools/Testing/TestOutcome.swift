import Base
import GraphEngine
package import GraphModel
import Signals

/// The outcome of a test.
package struct TestOutcome: Sendable {
  package let test: GraphTest
  /// Empty for a passed test.
  package let failures: [TestFailure]

  package var hasPassed: Bool { failures.isEmpty }

  /// Each failure with its place, both diagrams and the first difference.
  package var report: String { reportLines.map { $0.plain + "\n" }.joined() }

  /// The lines of the report.
  package var reportLines: [MarkedText] {
    failures.flatMap { failure in
      let head =
        MarkedText("\(failure.place): ", .title) + MarkedText("failed:", .error)
        + MarkedText(" \(test.graph): \(test.name)")
      return [head] + failure.lines.map { "  " + $0 }
    }
  }
}

/// One failure of a test.
package struct TestFailure: Error {
  package let place: Place
  /// One sentence.
  package let summary: String
  /// The whole message, including the summary.
  package internal(set) var lines: [MarkedText]

  /// A value that an expression rejected during the test, a possible cause.
  struct Refusal {
    let time: Duration
    let value: RefusedValue
  }

  init(_ expectation: Expectation, _ difference: TestDifference, _ refusals: [Refusal]) {
    place = difference.place
    summary = "\(expectation.shown): \(difference.summary)"
    let texts = [difference.summary] + refusals.map(\.text)
    lines = [MarkedText(expectation.shown)] + difference.drawing.lines + texts.map { MarkedText($0) }
  }

  /// Creates the failure for graphs that could not be restored from their state.
  init(stranded test: GraphTest, at time: Duration, _ error: StateError) {
    place = test.place
    summary = "at \(DurationText.written(time)): the graphs cannot resume from their state: \(error.message)"
    lines = [MarkedText(summary)]
  }

  /// Creates the failure for a step that was refused.
  ///
  /// - Parameter isBeforeTimers: True when timers are due at the step's instant, whose effects it cannot see.
  init(refused step: TestStep, _ error: SendError, isBeforeTimers: Bool) {
    let time = DurationText.written(step.time)
    place = step.place
    summary = "\(step.action.subject): at \(time): \(error.meaning)"
    var notes: [String] = []
    if case .badValue(_, let found) = error {
      if found == "a boolean" {
        notes = ["note: in a drawing, t and f are true and false unless values gives them another meaning"]
      }
    } else if isBeforeTimers {
      notes = ["note: timers that are due at \(time) run after the steps at \(time); move the step later"]
    }
    lines = ([summary] + notes).map { MarkedText($0) }
  }
}

extension TestFailure.Refusal {
  fileprivate var text: String {
    "note: at \(DurationText.written(time)) \(value.operatorName) of \(value.signal) rejected "
      + "\(value.value?.shown ?? "a value"): \(value.failure.message)"
  }
}

extension SendError {
  /// The reason in a message.
  package var meaning: String {
    switch self {
    case .notAnInput(let kind): "a signal of kind \(kind.rawValue) takes no values"
    case .badValue(let expected, let found): "expected \(expected), found \(found)"
    case .ended: "the signal has already ended"
    case .failed(let failure): failure.message
    case .notEndable: "the signal is not declared endable"
    }
  }
}
