import JSON
import ReactiveCore
import SignalGraph

/// Looks for the test that gives what was recorded of a span, with as little before it as can be.
final class TestSearch {
  private let request: HistoryTest.Request
  private let span: RecordedSpan
  private let beginnings: TestBeginnings
  /// The graph under whose tests it belongs.
  let graph: String
  /// Why the last test that was tried is none.
  private var difference: TestComparison.Difference?

  /// The name of a file in `conf.d` behind which no other stands.
  private static let file = "\u{10FFFF}.yaml"

  init(_ request: HistoryTest.Request, _ span: RecordedSpan) throws(HistoryTest.Refusal) {
    (self.request, self.span) = (request, span)
    let watched = try WatchedSignals(request.patterns, span.stored.configuration).names(in: span)
    guard let first = watched.first else {
      throw .untellable("nothing was emitted in that time; a signal that is named in full is expected to be silent")
    }
    graph = SignalName.graph(of: first)
    beginnings = try TestBeginnings(request, span, watched, graph: graph)
  }

  /// The lines of the first test that gives what was recorded; `nil` if none does.
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

  /// The reason why there is none.
  var complaint: String {
    let earliest = RecordedTime.moment(microseconds: beginnings.earliest)
    return "no test gives what was recorded, also with all that entered since \(earliest), before which nothing can be "
      + "known: \(difference?.text ?? "")"
  }

  /// The test as it is printed, once it was read again and has passed.
  private func text(of draft: TestDraft, _ emissions: [String: [TestDraft.Emission]]) -> [String]? {
    for form in TestText.Form.allCases {
      guard let text = TestText(draft, expecting: emissions, as: form) else { continue }
      do throws(ConfigurationError) {
        let configuration = try span.stored.adding(text.file(for: graph), named: Self.file)
        guard let fault = draft.fault(of: Self.file, in: configuration) else { return text.lines }
        difference = TestComparison.Difference(offset: .zero, text: "the test that says it does not pass: \(fault)")
      } catch {
        difference = TestComparison.Difference(offset: .zero, text: "a file cannot say it")
      }
    }
    return nil
  }
}
