import ReactiveCore

/// The outcome of a test.
package struct TestOutcome: Sendable {
  package let test: GraphTest
  /// Empty where it passed.
  package let failures: [TestFailure]

  package var hasPassed: Bool { failures.isEmpty }

  /// Each failure with its place, both diagrams, and the first difference.
  package var report: String { reportLines.map { $0.plain + "\n" }.joined() }

  /// The same in lines.
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
  /// The whole message, the summary included.
  package internal(set) var lines: [MarkedText]

  /// A value that an expression refused meanwhile, which may be the reason.
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

  /// The graphs could not go on from what was written down.
  init(stranded test: GraphTest, at time: Duration, _ error: StateError) {
    place = test.place
    summary = "at \(DurationText.written(time)): the graphs cannot go on from their state: \(error.message)"
    lines = [MarkedText(summary)]
  }

  /// A step that could not be taken.
  init(refused step: TestStep, _ error: SendError) {
    place = step.place
    summary = "\(step.action.subject): at \(DurationText.written(step.time)): \(error.meaning)"
    lines = [MarkedText(summary)]
  }
}

extension TestFailure.Refusal {
  fileprivate var text: String {
    "note: at \(DurationText.written(time)) \(value.operatorName) of \(value.signal) refused "
      + "\(value.value?.shown ?? "a value"): \(value.failure.message)"
  }
}

extension SendError {
  /// For people.
  package var meaning: String {
    switch self {
    case .notAnInput(let kind): "a signal of kind \(kind.rawValue) takes no values"
    case .badValue(let expected, let found): "expected \(expected), found \(found)"
    case .ended: "the signal has ended before"
    case .failed(let failure): failure.message
    case .notEndable: "the signal is not declared endable"
    }
  }
}
