/// The outcomes of tests in the XML that continuous integration reads (JUnit's, as Jenkins and GitLab take it).
package struct JUnitReport {
  private var cases: [(outcome: TestOutcome, duration: Duration)] = []

  package init() {}

  package mutating func add(_ outcome: TestOutcome, taking duration: Duration) { cases.append((outcome, duration)) }

  /// One suite for each file, one case for each test.
  package var xml: String {
    var files: [String] = []
    for name in cases.map(\.outcome.test.place.file) where !files.contains(name) { files.append(name) }
    let total = Self.attributes(of: cases.map { ($0.outcome, $0.duration) })
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(total)>\n"
      + files.map(suite).joined() + "</testsuites>\n"
  }

  private func suite(_ file: String) -> String {
    let own = cases.filter { $0.outcome.test.place.file == file }.map { ($0.outcome, $0.duration) }
    return "  <testsuite name=\"\(XMLText.escaped(file))\" \(Self.attributes(of: own))>\n"
      + own.map(testCase).joined() + "  </testsuite>\n"
  }

  private static func attributes(of cases: [(TestOutcome, Duration)]) -> String {
    let failed = cases.count { !$0.0.hasPassed }
    let time = cases.reduce(Duration.zero) { $0 + $1.1 }
    return "tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"0\" time=\"\(seconds(time))\""
  }

  private func testCase(_ outcome: TestOutcome, _ duration: Duration) -> String {
    let test = outcome.test
    let head =
      "    <testcase name=\"\(XMLText.escaped(test.name))\" classname=\"\(XMLText.escaped(test.graph))\" "
      + "file=\"\(XMLText.escaped(test.place.file))\" line=\"\(test.place.line)\" time=\"\(Self.seconds(duration))\""
    if outcome.hasPassed { return head + "/>\n" }
    let failures = outcome.failures.map { failure in
      let text = (["\(failure.place)"] + failure.lines).joined(separator: "\n")
      return "      <failure message=\"\(XMLText.escaped(failure.summary))\">\(XMLText.escaped(text))</failure>\n"
    }
    return head + ">\n" + failures.joined() + "    </testcase>\n"
  }

  /// Seconds to the microsecond.
  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// Text within XML.
enum XMLText {
  /// Characters with a meaning are escaped; those that XML 1.0 cannot hold are replaced.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
