import Base
package import JSON

/// A validated test of a graph.
///
/// Diagrams and scripts both reduce to steps and expectations with times.
package struct GraphTest: Sendable {
  package let name: String
  package let graph: String
  package let place: Place
  /// The full names of stubbed signals: they emit exactly the events that the test sends to them.
  package let stubs: Set<String>
  /// The start time, in microseconds since 1970.
  package let start: Int64
  package let steps: [TestStep]
  /// One expectation for each signal or subscriber in the test.
  package let expectations: [Expectation]
  /// The values of the letters in its diagrams.
  package let letters: MarbleValues
  package let tick: Duration
  /// The tolerance for expected numbers.
  package let tolerance: Tolerance
  /// The end of the test; events due at that time still occur.
  package let end: Duration

  package init(
    name: String, graph: String, place: Place, stubs: Set<String>, start: Int64, steps: [TestStep],
    expectations: [Expectation], letters: MarbleValues, tick: Duration, tolerance: Tolerance, end: Duration
  ) {
    self.name = name
    self.graph = graph
    self.place = place
    self.stubs = stubs
    self.start = start
    self.steps = steps
    self.expectations = expectations
    self.letters = letters
    self.tick = tick
    self.tolerance = tolerance
    self.end = end
  }

  /// Returns a time since the start for messages, with the calendar time if the test has an explicit start.
  package func shown(_ time: Duration) -> String {
    let written = DurationText.written(time)
    if start == 0 { return written }
    return "\(written) (\(RecordedTime.moment(microseconds: start).later(by: time)))"
  }

  /// The signals with values from the test alone.
  package var givenSignals: Set<String> {
    Set(
      steps.compactMap { step in
        if case .send(let signal, _) = step.action { signal } else { nil }
      })
  }
}

/// One step of a test.
package struct TestStep: Sendable {
  package enum Action: Sendable {
    case send(String, JSONValue)
    /// - Parameter status: The status of a failed call.
    case end(String, SignalEnding, status: Int32? = nil)
    case subscribe(label: String, to: String)
    case unsubscribe(label: String)
    /// Calls an action.
    case call(String, JSONValue)

    /// The signal or subscriber that the step acts on.
    package var subject: String {
      switch self {
      case .send(let name, _), .end(let name, _, _), .subscribe(let name, _), .unsubscribe(let name),
        .call(let name, _):
        name
      }
    }
  }

  package let time: Duration
  package let place: Place
  package let action: Action

  package init(time: Duration, place: Place, action: Action) {
    self.time = time
    self.place = place
    self.action = action
  }
}

/// The complete sequence of events expected of one signal or subscriber.
package struct Expectation: Sendable {
  /// A signal's full name, the label of a subscriber, or the calls of an action.
  package let subject: String
  /// The subject as named in the test.
  package let shown: String
  package let place: Place
  /// Ordered by time.
  package var events: [ExpectedEvent]

  package init(subject: String, shown: String, place: Place, events: [ExpectedEvent]) {
    self.subject = subject
    self.shown = shown
    self.place = place
    self.events = events
  }

  /// Returns the subject for the calls of an action with this full name.
  package static func calls(of action: String) -> String { "\(action)()" }
}

/// One expected event.
package struct ExpectedEvent: Sendable {
  package let time: Duration
  package let place: Place
  package let event: Outcome

  package init(time: Duration, place: Place, event: Outcome) {
    self.time = time
    self.place = place
    self.event = event
  }

  package enum Outcome: Sendable {
    case value(JSONValue)
    case completed
    /// A failure with this code, or with any if `nil`.
    case failed(code: String?)
    case interrupted

    /// Compares an event with the expectation: numbers as doubles, failures by code.
    package func matches(_ event: SignalEvent, _ tolerance: Tolerance) -> Bool {
      switch (self, event) {
      case (.value(let expected), .next(let payload, _)): tolerance.admits(payload.value, for: expected)
      case (.completed, .ended(.completed)), (.interrupted, .ended(.interrupted)): true
      case (.failed(let code), .ended(.failed(let failure))): code?.hasSameBytes(as: failure.code) ?? true
      default: false
      }
    }
  }
}
