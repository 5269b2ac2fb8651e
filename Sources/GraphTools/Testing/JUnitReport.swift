import GraphModel

/// Test outcomes in JUnit's XML format, as Jenkins and GitLab accept it.
package struct JUnitReport {
  private var cases: [Case] = []

  private struct Case {
    enum Outcome { case passed, failed, unusable }

    let file: String
    let outcome: Outcome
    let duration: Duration
    /// The attributes of the test's element, and its children.
    let head: String
    let inside: String
  }

  package init() {}

  package mutating func add(_ outcome: TestOutcome, taking duration: Duration) {
    let test = outcome.test
    let failures = outcome.failures.map { failure in
      Self.element(
        "failure", failure.summary, (["\(failure.place)"] + failure.lines.map(\.plain)).joined(separator: "\n"))
    }
    cases.append(
      Case(
        file: test.place.file, outcome: outcome.hasPassed ? .passed : .failed, duration: duration,
        head: "name=\"\(XMLText.escaped(test.name))\" classname=\"\(XMLText.escaped(test.graph))\" "
          + "file=\"\(XMLText.escaped(test.place.file))\" line=\"\(test.place.line)\"",
        inside: failures.joined()))
  }

  /// Adds a file whose tests could not be run.
  package mutating func add(unusable file: String, _ reason: String) {
    let name = XMLText.escaped(file)
    cases.append(
      Case(
        file: file, outcome: .unusable, duration: .zero,
        head: "name=\"is right\" classname=\"\(name)\" file=\"\(name)\"",
        inside: Self.element("error", "invalid configuration", reason)))
  }

  /// One suite per file, one case per test.
  package var xml: String {
    var files: [String] = []
    for name in cases.map(\.file) where !files.contains(name) { files.append(name) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(Self.attributes(of: cases))>\n"
      + files.map(suite).joined() + "</testsuites>\n"
  }

  private func suite(_ file: String) -> String {
    let own = cases.filter { $0.file == file }
    return "  <testsuite name=\"\(XMLText.escaped(file))\" \(Self.attributes(of: own))>\n"
      + own.map(Self.testCase).joined() + "  </testsuite>\n"
  }

  private static func attributes(of cases: [Case]) -> String {
    let failed = cases.count { $0.outcome == .failed }
    let unusable = cases.count { $0.outcome == .unusable }
    let time = cases.reduce(Duration.zero) { $0 + $1.duration }
    return "tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"\(unusable)\" time=\"\(seconds(time))\""
  }

  private static func testCase(_ test: Case) -> String {
    let head = "    <testcase \(test.head) time=\"\(seconds(test.duration))\""
    return test.inside.isEmpty ? head + "/>\n" : head + ">\n" + test.inside + "    </testcase>\n"
  }

  private static func element(_ name: String, _ message: String, _ text: String) -> String {
    "      <\(name) message=\"\(XMLText.escaped(message))\">\(XMLText.escaped(text))</\(name)>\n"
  }

  /// Returns seconds with microseconds.
  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
