import Base
import JSON

/// A validated test of a graph.
///
/// Diagrams and scripts both reduce to steps and expectations with times.
package struct GraphTest: Sendable {
  package let name: String
  package let graph: String
  package let place: Place
  /// The full names of stubbed signals: they emit exactly the events that the test sends to them.
  let stubs: Set<String>
  /// The start time, in microseconds since 1970.
  let start: Int64
  let steps: [TestStep]
  /// One expectation for each signal or subscriber in the test.
  let expectations: [Expectation]
  /// The values of the letters in its diagrams.
  let letters: MarbleValues
  let tick: Duration
  /// The tolerance for expected numbers.
  let tolerance: Tolerance
  /// The end of the test; events due at that time still occur.
  let end: Duration

  /// Returns a time since the start for messages, with the calendar time if the test has an explicit start.
  func shown(_ time: Duration) -> String {
    let written = DurationText.written(time)
    if start == 0 { return written }
    return "\(written) (\(RecordedTime.moment(microseconds: start).later(by: time)))"
  }

  /// The signals with values from the test alone.
  var givenSignals: Set<String> {
    Set(
      steps.compactMap { step in
        if case .send(let signal, _) = step.action { signal } else { nil }
      })
  }
}

/// One step of a test.
struct TestStep: Sendable {
  enum Action: Sendable {
    case send(String, JSONValue)
    case end(String, SignalEnding)
    case subscribe(label: String, to: String)
    case unsubscribe(label: String)
    /// Calls an action.
    case call(String, JSONValue)

    /// The signal or subscriber that the step acts on.
    var subject: String {
      switch self {
      case .send(let name, _), .end(let name, _), .subscribe(let name, _), .unsubscribe(let name),
        .call(let name, _):
        name
      }
    }
  }

  let time: Duration
  let place: Place
  let action: Action
}

/// The complete sequence of events expected of one signal or subscriber.
struct Expectation: Sendable {
  /// A signal's full name, the label of a subscriber, or the calls of an action.
  let subject: String
  /// The subject as named in the test.
  let shown: String
  let place: Place
  /// Ordered by time.
  var events: [ExpectedEvent]

  /// Returns the subject for the calls of an action with this full name.
  static func calls(of action: String) -> String { "\(action)()" }
}

/// One expected event.
struct ExpectedEvent: Sendable {
  let time: Duration
  let place: Place
  let event: Outcome

  enum Outcome: Sendable {
    case value(JSONValue)
    case completed
    /// A failure with this code, or with any if `nil`.
    case failed(code: String?)
    case interrupted

    /// Compares an event with the expectation: numbers as doubles, failures by code.
    func matches(_ event: SignalEvent, _ tolerance: Tolerance) -> Bool {
      switch (self, event) {
      case (.value(let expected), .next(let payload, _)): tolerance.admits(payload.value, for: expected)
      case (.completed, .ended(.completed)), (.interrupted, .ended(.interrupted)): true
      case (.failed(let code), .ended(.failed(let failure))): code == nil || code == failure.code
      default: false
      }
    }
  }
}
