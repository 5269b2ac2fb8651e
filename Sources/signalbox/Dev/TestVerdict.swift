internal import GraphModel
internal import JSON
internal import Linux
internal import WireProtocol

/// The outcome of the tests of a configuration so far.
struct TestVerdict {
  /// Lines of failures beyond this number are counted only.
  private static let mostLines = 2000

  private let start = MonotonicInstant.now()
  private(set) var count = 0
  private(set) var failed = 0
  /// The failures, the first one first.
  private(set) var details: [MarkedText] = []
  /// The time of all tests; `nil` while they run.
  private(set) var duration: Duration?
  /// The reason that they did not end.
  private var problem: String?

  var hasProblem: Bool { problem != nil }

  /// Adds the outcome of a test, in the form of `test --json`.
  mutating func add(_ line: String) {
    var parser = JSONParser()
    guard case .object(let outcome)? = try? parser.value(of: Array(line.utf8).span) else { return }
    count += 1
    if outcome["passed"] == true { return }
    failed += 1
    guard details.count < Self.mostLines, case .array(let failures)? = outcome["failures"] else { return }
    for case .object(let failure) in failures {
      let place = ["file", "line", "column"].map { failure[$0].map(\.plainText) ?? "" }.joined(separator: ":")
      let head = MarkedText("\(place): ", .title) + MarkedText("failed:", .error)
      details.append(head + MarkedText(" \(outcome.text("graph")): \(outcome.text("test"))"))
      details += failure.text("text").split(separator: "\n", omittingEmptySubsequences: false).map { line in
        MarkedText("  \(line)")
      }
    }
  }

  /// Ends with the status of the program that ran them.
  mutating func end(_ status: Linux.ExitStatus) {
    duration = MonotonicInstant.now() - start
    if ![.exited(0), .exited(1)].contains(status) { problem = status.words }
  }

  var line: MarkedText {
    if let problem { return MarkedText("the tests \(problem)", .error) }
    guard let duration else { return MarkedText(count == 0 ? "running" : "running, \(counted(count, "test")) so far") }
    if count == 0 { return MarkedText("no tests", .aside) }
    let verdict =
      failed == 0
      ? MarkedText("\(counted(count, "test")) passed", .success)
      : MarkedText("\(failed) of \(counted(count, "test")) failed", .error)
    return verdict + MarkedText("  \(duration.shown)", .aside)
  }
}

extension Duration {
  /// The duration for people: `4 ms`, `1.2 s`.
  var shown: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 1000 { return "\(max(1, Int(milliseconds.rounded()))) ms" }
    return "\(Double((milliseconds / 100).rounded()) / 10) s"
  }
}
