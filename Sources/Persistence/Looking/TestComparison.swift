import GraphModel
import GraphTools
import JSON
import Signals

/// Compares the events of a test with the recorded span.
///
/// Each signal has to emit equal events between the same steps and at the same time, or earlier by at most the recorded
/// lateness of timers, which are never late in a test.
struct TestComparison {
  struct Difference {
    /// Since the start of the span.
    let offset: Duration
    let text: String
  }

  private struct Event {
    let offset: Duration
    let event: SignalEvent
    /// The group of the last step before it.
    let group: Int
    /// The maximum lead over the recorded event.
    var lateness = Duration.zero

    func isSame(as other: Event, within precision: Duration) -> Bool {
      let difference = offset - other.offset
      return group == other.group && event.isSame(as: other.event) && difference <= lateness + precision
        && difference >= .zero - precision
    }
  }

  private let span: RecordedSpan
  private let draft: TestBeginnings.Draft

  init(_ span: RecordedSpan, _ draft: TestBeginnings.Draft) { (self.span, self.draft) = (span, draft) }

  /// Returns the first difference; `nil` if there is none.
  func difference(from emissions: [String: [TestDraft.Emission]]) -> Difference? {
    draft.test.watched.compactMap { name in
      difference(name, recorded(name), given(emissions[name] ?? []))
    }.min { $0.offset < $1.offset }
  }

  private func recorded(_ name: String) -> [Event] {
    let start = span.start ?? span.last
    return span.emissions.filter { $0.signal == name }.map { emission in
      Event(
        offset: emission.time.instant - start.instant, event: emission.event,
        group: draft.group(at: emission.group), lateness: emission.lateness)
    }
  }

  private func given(_ emissions: [TestDraft.Emission]) -> [Event] {
    emissions.filter { emission in
      emission.step > draft.lead || emission.time >= draft.start && !(draft.isAtStart && emission.time == .zero)
    }.map { emission in
      Event(
        offset: emission.time - draft.start, event: emission.event,
        group: emission.step > draft.lead ? draft.groups[emission.step - draft.lead - 1] : 0)
    }
  }

  private func difference(_ name: String, _ recorded: [Event], _ given: [Event]) -> Difference? {
    let same = zip(recorded, given).prefix { $0.isSame(as: $1, within: draft.precision) }.count
    guard same < max(recorded.count, given.count) else { return nil }
    let left = same < recorded.count ? recorded[same] : nil
    let right = same < given.count ? given[same] : nil
    let offset = [left?.offset, right?.offset].compactMap(\.self).min() ?? .zero
    let start = span.start ?? span.last
    let moment = RecordedTime.moment(microseconds: start.microseconds + Int64(offset / .microseconds(1)))
    func text(_ event: Event?) -> String {
      event.flatMap { $0.offset - offset < .milliseconds(1) ? $0.event.text : nil } ?? "nothing"
    }
    let (was, gives) = (text(left), text(right))
    return Difference(
      offset: offset,
      text: was == gives
        ? "at \(moment) \(name) emitted \(was), but at another time in the test"
        : "at \(moment) \(name) emitted \(was), but \(gives) in the test")
  }
}

extension SignalEvent {
  fileprivate func isSame(as other: SignalEvent) -> Bool {
    switch (self, other) {
    case (.next(let payload, _), .next(let expected, _)): payload.value == expected.value
    case (.ended(.failed(let failure)), .ended(.failed(let expected))): failure.code == expected.code
    case (.ended(let ending), .ended(let expected)): ending == expected
    default: false
    }
  }

  fileprivate var text: String {
    switch self {
    case .next(let payload, _): payload.value.description
    case .ended(let ending): ending.event
    }
  }
}
