import JSON

/// One test of a graph as a file declares it, read and found right.
///
/// Diagrams and scripts come down to the same: steps and expectations, each at its time.
package struct GraphTest: Sendable {
  package let name: String
  package let graph: String
  package let place: Place
  /// The signals for which it speaks as a whole, by their full names: they say what it sends to them, and nothing else.
  let stubs: Set<String>
  /// The moment at which it begins, in microseconds since 1970.
  let start: Int64
  /// The steps, in their order.
  let steps: [TestStep]
  /// The expectations, one for each signal or subscriber that the test names.
  let expectations: [Expectation]
  /// The values that the letters of its diagrams stand for.
  let letters: MarbleValues
  let tick: Duration
  /// The tolerance of the numbers that it expects.
  let tolerance: Tolerance
  /// The time at which it is over; events that are due then still happen.
  let end: Duration

  /// A time since the start for people; of a test that begins at a moment of its own the moment too.
  func shown(_ time: Duration) -> String {
    let written = DurationText.written(time)
    if start == 0 { return written }
    return "\(written) (\(RecordedTime.moment(microseconds: start).later(by: time)))"
  }

  /// The signals that come from the test alone.
  var givenSignals: Set<String> {
    Set(
      steps.compactMap { step in
        if case .send(let signal, _) = step.action { signal } else { nil }
      })
  }
}

/// Something that a test does.
struct TestStep: Sendable {
  enum Action: Sendable {
    case send(String, JSONValue)
    case end(String, SignalEnding)
    case subscribe(label: String, to: String)
    case unsubscribe(label: String)
    /// Calls an action.
    case call(String, JSONValue)

    /// The signal or subscriber that it is done to.
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

/// Everything that one signal or subscriber is expected to say.
struct Expectation: Sendable {
  /// A signal's full name, the label of a subscriber, or the calls of an action.
  let subject: String
  /// The subject as the test names it.
  let shown: String
  let place: Place
  /// By time.
  var events: [ExpectedEvent]

  /// The calls of an action, given by its full name, as a subject.
  static func calls(of action: String) -> String { "\(action)()" }
}

/// One event that is expected.
struct ExpectedEvent: Sendable {
  let time: Duration
  let place: Place
  let event: Outcome

  enum Outcome: Sendable {
    case value(JSONValue)
    case completed
    /// With this code; with any where there is none.
    case failed(code: String?)
    case interrupted

    /// Whether an event is what was expected: numbers compare as doubles, failures by code.
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
