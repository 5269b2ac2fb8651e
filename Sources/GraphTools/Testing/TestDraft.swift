package import GraphModel
package import JSON

/// A test under construction: steps, and the signals whose events it will expect.
package struct TestDraft: Sendable {
  /// An event sent to a signal.
  package struct Step: Sendable {
    package let time: Duration
    /// The signal's full name.
    package let signal: String
    package let event: Event

    package init(time: Duration, signal: String, event: Event) {
      (self.time, self.signal, self.event) = (time, signal, event)
    }
  }

  package enum Event: Sendable {
    case value(JSONValue)
    case ending(SignalEnding)
  }

  /// An event of a watched signal during the steps.
  package struct Emission: Sendable {
    package let time: Duration
    package let event: SignalEvent
    /// The number of steps taken so far, including the one that caused it.
    package let step: Int
  }

  /// A comment before one of the steps.
  package struct Remark: Sendable {
    package let text: String
    /// The number of steps before it.
    package let step: Int
    package let time: Duration

    package init(_ text: String, before step: Int, at time: Duration) {
      (self.text, self.step, self.time) = (text, step, time)
    }
  }

  package let name: String
  /// The graph that will contain the test.
  package let graph: String
  /// The stubbed signals.
  package let stubs: [String]
  /// Ordered by time.
  package let steps: [Step]
  /// The watched signals.
  package let watched: [String]
  /// The end of the test.
  package let end: Duration
  package let remarks: [Remark]

  package init(
    name: String, graph: String, stubs: [String], steps: [Step], watched: [String], end: Duration, remarks: [Remark]
  ) {
    self.name = name
    self.graph = graph
    self.stubs = stubs
    self.steps = steps
    self.watched = watched
    self.end = end
    self.remarks = remarks
  }

  /// Returns the events of the watched signals in a configuration.
  ///
  /// - Throws: The first step that was refused.
  package func rehearse(in configuration: Configuration) throws(TestFailure) -> [String: [Emission]] {
    try TestRun.recording(of: test, in: configuration).mapValues { entries in
      entries.map { Emission(time: $0.time, event: $0.event, step: $0.step) }
    }
  }

  private var test: GraphTest {
    let place = Place(file: SourceFile(name: name, index: .max, text: ""), line: 1, column: 1)
    return GraphTest(
      name: name, graph: graph, place: place, stubs: Set(stubs), start: 0,
      steps: steps.map { TestStep(time: $0.time, place: place, action: $0.action) },
      expectations: watched.map { Expectation(subject: $0, shown: $0, place: place, events: []) },
      letters: MarbleValues(), tick: .seconds(1), tolerance: .none, end: end)
  }

  /// Compares the steps and the end with those of a parsed test.
  func isDone(by test: GraphTest) -> Bool {
    test.stubs == Set(stubs) && test.end == end && test.steps.count == steps.count
      && zip(test.steps, steps).allSatisfy { $0.time == $1.time && $0.action.isSame(as: $1.action) }
  }
}

extension TestDraft.Step {
  fileprivate var action: TestStep.Action {
    switch event {
    case .value(let value): .send(signal, value)
    case .ending(let ending): .end(signal, ending)
    }
  }
}

extension TestStep.Action {
  /// Compares steps; numbers must agree to the digit, since graphs forward the text of unchanged numbers.
  fileprivate func isSame(as other: TestStep.Action) -> Bool {
    switch (self, other) {
    case (.send(let name, let value), .send(let other, let otherValue)):
      name == other && FlowText.text(of: value) == FlowText.text(of: otherValue)
    case (.end(let name, let ending, _), .end(let other, let otherEnding, _)): name == other && ending == otherEnding
    default: false
    }
  }
}
