import GraphModel
import JSON

/// The first difference between the actual and the expected events of a subject.
struct TestDifference {
  /// The place of the first expectation that failed.
  let place: Place
  /// The first difference: `at 2s: expected true, found nothing`.
  let summary: String
  let drawing: MarbleDrawing
  private let time: Duration
  /// The event found instead at that time, if any.
  private let found: SignalEvent?

  /// Compares events; `nil` without a difference.
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
    let texts = ContrastingTexts(
      missing.flatMap { $0.time == time ? $0.event.text : nil } ?? "nothing",
      other.flatMap { $0.time == time ? $0.event.text : nil } ?? "nothing")
    summary = "at \(test.shown(time)): expected \(texts.one), found \(texts.other)"
    drawing = MarbleDrawing(expected, found, test, around: time)
  }

  /// Returns the subject of the explanation: an unexpected event or a missing one.
  func surprise(_ subject: String) -> TestSurprise? { TestSurprise(subject: subject, time: time, event: found) }
}

extension ExpectedEvent.Outcome {
  fileprivate var text: String {
    switch self {
    case .value(let value): value.description
    case .completed: "completed"
    case .failed(let code): code.map { "failed with code \"\($0)\"" } ?? "failed"
    case .interrupted: "interrupted"
    }
  }
}

extension SignalEvent {
  fileprivate var text: String {
    switch self {
    case .next(let payload, _): payload.value.description
    case .ended(.completed): "completed"
    case .ended(.failed(let failure)):
      "failed with code \"\(failure.code)\"\(failure.message.isEmpty ? "" : ": \(failure.message)")"
    case .ended(.interrupted): "interrupted"
    }
  }
}

extension JSONValue {
  /// The value as JSON, truncated to 200 characters.
  var shown: String {
    let text = description
    let most = ContrastingTexts.mostScalars
    return text.unicodeScalars.count > most ? String(text.unicodeScalars.prefix(most)) + "…" : text
  }
}
