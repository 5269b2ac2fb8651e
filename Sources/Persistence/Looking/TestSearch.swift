import GraphModel
import GraphTools
import JSON
import Signals

/// Searches for the test that reproduces a recorded span with as few earlier steps as possible.
final class TestSearch {
  private let request: HistoryTest.Request
  private let span: RecordedSpan
  private let beginnings: TestBeginnings
  /// The graph that the test belongs to.
  let graph: String
  /// The reason for rejecting the last candidate.
  private var difference: TestComparison.Difference?

  /// A file name in `conf.d` that sorts after all others.
  private static let file = "\u{10FFFF}.yaml"

  init(_ request: HistoryTest.Request, _ span: RecordedSpan) throws(HistoryTest.Refusal) {
    (self.request, self.span) = (request, span)
    let watched = try WatchedSignals(request.patterns, span.stored.configuration).names(in: span)
    guard let first = watched.first else {
      throw .untellable("no values emitted in that period; to expect silence, give the full name of a signal")
    }
    graph = SignalName.graph(of: first)
    beginnings = try TestBeginnings(request, span, watched, graph: graph)
  }

  /// Returns the lines of the first test that reproduces the recording; `nil` if there is none.
  func lines() -> [String]? {
    for beginning in beginnings.all {
      let draft = beginnings.draft(beginning)
      do throws(TestFailure) {
        let emissions = try draft.test.rehearse(in: span.stored.configuration)
        difference = TestComparison(span, draft).difference(from: emissions)
        if difference == nil, let lines = text(of: draft.test, emissions) { return lines }
      } catch {
        difference = TestComparison.Difference(offset: .zero, text: error.summary)
      }
    }
    return nil
  }

  /// The reason for failing to find a test.
  var complaint: String {
    let earliest = RecordedTime.moment(microseconds: beginnings.earliest)
    return "no test reproduces the recording, even with all inputs since \(earliest), the start of the "
      + "history: \(difference?.text ?? "")"
  }

  /// Returns the test's text after reading it back and running it successfully.
  private func text(of draft: TestDraft, _ emissions: [String: [TestDraft.Emission]]) -> [String]? {
    for form in TestText.Form.allCases {
      guard let text = TestText(draft, expecting: emissions, as: form) else { continue }
      do throws(ConfigurationError) {
        let configuration = try span.stored.adding(text.file(for: graph), named: Self.file)
        guard let fault = draft.fault(of: Self.file, in: configuration) else { return text.lines }
        difference = TestComparison.Difference(offset: .zero, text: "the generated test fails: \(fault)")
      } catch {
        difference = TestComparison.Difference(offset: .zero, text: "a configuration file cannot express it")
      }
    }
    return nil
  }
}
