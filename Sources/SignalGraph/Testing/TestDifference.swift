import JSON

/// The difference between the actual and the expected events of a subject.
struct TestDifference {
  /// The first place of the file that does not hold.
  let place: Place
  /// The first difference: `at 2s: expected true, found nothing`.
  let summary: String
  let drawing: MarbleDrawing
  private let time: Duration
  /// The event that came instead, if there was one at that time.
  private let found: SignalEvent?

  /// Compares; `nil` where there is no difference.
  init?(_ expectation: Expectation, _ found: [EventRecord.Entry], _ test: GraphTest) {
    let expected = expectation.events
    let same = zip(expected, found).prefix { $0.time == $1.time && $0.event.matches($1.event, test.tolerance) }.count
    guard same < max(expected.count, found.count) else { return nil }
    let missing = same < expected.count ? expected[same] : nil
    let other = same < found.count ? found[same] : nil
    let time = [missing?.time, other?.time].compactMap(\.self).min() ?? .zero
    self.time = time
    self.found = other.flatMap { $0.time == time ? $0.event : nil }
    place = (missing ?? expected.last)?.place ?? expectation.place
    summary =
      "at \(test.shown(time)): "
      + "expected \(Self.text(missing.flatMap { $0.time == time ? $0.event.text : nil })), "
      + "found \(Self.text(other.flatMap { $0.time == time ? $0.event.text : nil }))"
    drawing = MarbleDrawing(expected, found, test, around: time)
  }

  /// The thing that is to be explained: an event that came, or that none did.
  func surprise(_ subject: String) -> TestSurprise? { TestSurprise(subject: subject, time: time, event: found) }

  private static func text(_ event: String?) -> String { event ?? "nothing" }
}

extension ExpectedEvent.Outcome {
  fileprivate var text: String {
    switch self {
    case .value(let value): value.shown
    case .completed: "completed"
    case .failed(let code): code.map { "failed with code \"\($0)\"" } ?? "failed"
    case .interrupted: "interrupted"
    }
  }
}

extension SignalEvent {
  fileprivate var text: String {
    switch self {
    case .next(let payload, _): payload.value.shown
    case .ended(.completed): "completed"
    case .ended(.failed(let failure)):
      "failed with code \"\(failure.code)\"\(failure.message.isEmpty ? "" : ": \(failure.message)")"
    case .ended(.interrupted): "interrupted"
    }
  }
}

extension JSONValue {
  /// The value as JSON, cut off where it is long.
  var shown: String {
    let text = description
    return text.unicodeScalars.count > 200 ? String(text.unicodeScalars.prefix(200)) + "…" : text
  }
}
