import GraphModel
import JSON

/// Collects the steps and expectations of a test while it is read.
struct TestPlan {
  private(set) var steps: [TestStep] = []
  private(set) var expectations: [Expectation] = []
  /// The last time in the test.
  private(set) var end = Duration.zero
  private var subscribers: Set<String> = []

  mutating func last(to time: Duration) { end = max(end, time) }

  mutating func act(_ action: TestStep.Action, at time: Duration, _ place: Place) {
    steps.append(TestStep(time: time, place: place, action: action))
    if case .subscribe(let label, _) = action { subscribers.insert(label) }
    last(to: time)
  }

  /// Watches a subject, even without expected events.
  mutating func watch(_ subject: String, as shown: String, _ place: Place) {
    if !expectations.contains(where: { $0.subject == subject }) {
      expectations.append(Expectation(subject: subject, shown: shown, place: place, events: []))
    }
  }

  /// Adds an expected event of a watched subject.
  mutating func expect(_ event: ExpectedEvent.Outcome, of subject: String, at time: Duration, _ place: Place) {
    guard let index = expectations.firstIndex(where: { $0.subject == subject }) else { return }
    expectations[index].events.append(ExpectedEvent(time: time, place: place, event: event))
    last(to: time)
  }

  func hasSubscriber(_ label: String) -> Bool { subscribers.contains(label) }

  /// Sorts everything by time; entries with equal times keep the order of reading.
  mutating func sort() {
    steps = Self.sorted(steps, by: \.time)
    for index in expectations.indices {
      expectations[index].events = Self.sorted(expectations[index].events, by: \.time)
    }
  }

  private static func sorted<Element>(_ elements: [Element], by time: (Element) -> Duration) -> [Element] {
    elements.enumerated()
      .sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }
      .map(\.element)
  }
}
