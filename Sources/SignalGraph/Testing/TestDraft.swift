package import JSON

/// A test in the making: what it does, and the signals whose events it is going to expect.
package struct TestDraft: Sendable {
  /// Something that it sends to a signal.
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

  /// Something that a watched signal says when the steps are taken.
  package struct Emission: Sendable {
    package let time: Duration
    package let event: SignalEvent
    /// How many steps had been taken, the one that caused it included.
    package let step: Int
  }

  /// Words for people before one of the steps.
  package struct Remark: Sendable {
    package let text: String
    /// How many steps stand before it.
    package let step: Int
    package let time: Duration

    package init(_ text: String, before step: Int, at time: Duration) {
      (self.text, self.step, self.time) = (text, step, time)
    }
  }

  package let name: String
  /// The graph under whose `tests` it is to stand.
  package let graph: String
  /// The signals for which it speaks as a whole.
  package let stubs: [String]
  /// In the order of time.
  package let steps: [Step]
  /// The signals that it watches.
  package let watched: [String]
  /// When it is over.
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

  /// The events that the watched signals make in a configuration.
  ///
  /// - Throws: The first step that could not be taken.
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

  /// Whether a test that was read does the same to the graphs.
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
  /// Whether it sends the same; of numbers to the digit, since graphs pass on the text of what they only move.
  fileprivate func isSame(as other: TestStep.Action) -> Bool {
    switch (self, other) {
    case (.send(let name, let value), .send(let other, let otherValue)):
      name == other && FlowText.text(of: value) == FlowText.text(of: otherValue)
    case (.end(let name, let ending), .end(let other, let otherEnding)): name == other && ending == otherEnding
    default: false
    }
  }
}
