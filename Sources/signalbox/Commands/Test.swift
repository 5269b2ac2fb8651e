internal import JSON
internal import Linux
internal import SignalGraph

extension Command {
  static let test = Command(
    name: "test", operands: "[FILE|DIRECTORY…]", kinds: [.configuration],
    summary: "run the tests of a configuration, in virtual time",
    details: """
      Each test starts a fresh graph at 0s on a clock of its own, so that hours pass in milliseconds. Programs, files and
      actions never run: their values come from the test. A test that fails shows what was expected and what was found,
      one under the other, and the status is 1. No daemon is needed.
      """,
    options: [
      ConfigurationFiles.option,
      Option(name: "filter", letter: "f", argument: "TEXT", doc: "run the tests whose name contains it"),
      Option(
        name: "junit", argument: "FILE", doc: "also write the outcomes as XML for CI systems; - for standard output",
        kind: .file),
      Option(
        name: "restarts",
        doc: "write all graphs down and build them anew between any two instants, as after a crash of the daemon"),
      Option(name: "why", doc: "explain what was not as expected: how it came about, or where it ended"),
      Option(name: "json", letter: "j", doc: "print each outcome as a line of JSON"),
      Option(name: "verbose", letter: "v", doc: "name the tests that passed, too"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox test graphs.yaml", "every test of one file"),
      Example("signalbox test --junit report.xml graphs/*.yaml", "for a CI system"),
      Example("signalbox test --filter alarm --verbose graphs.yaml", "some of them, by name"),
    ]
  ) { invocation throws(CommandError) in
    var runs = TestRuns(invocation)
    for source in try sources(invocation) { try runs.run(source) }
    try runs.finish()
  }

  private static func sources(_ invocation: Invocation) throws(CommandError) -> [ConfigurationSource] {
    if invocation.operands.count < 2 { return [try ConfigurationFiles.source(invocation)] }
    if invocation.has("config") { throw .usage("either FILEs or --config, not both") }
    return invocation.operands.map { .alone($0) }
  }
}

/// Runs the tests of several configurations and tells of them.
private struct TestRuns {
  private let invocation: Invocation
  private let filter: String
  private var report = JUnitReport()
  private var status = ExitStatus.ok
  private var count = 0

  init(_ invocation: Invocation) {
    self.invocation = invocation
    filter = invocation.text("filter") ?? ""
  }

  /// Runs what one file has; one that is wrong does not keep the others from being tested.
  mutating func run(_ source: ConfigurationSource) throws(CommandError) {
    do throws(ConfigurationError) {
      let (configuration, places) = try Configuration.loadWithPlaces(source, inputs: .systemWithoutAccounts)
      ConfigurationFiles.report(configuration.warnings, invocation.output)
      run(configuration, invocation.has("why") ? places : nil, path: source.path)
    } catch {
      let refusal = ConfigurationFiles.refusal(error, of: source, invocation.output)
      printError("signalbox: \(refusal.message ?? "")")
      report.add(unusable: source.path, ConfigurationFiles.text(of: error))
      status = refusal.status
    }
    try invocation.output.flush()
  }

  private mutating func run(_ configuration: Configuration, _ places: StepPlaces?, path: String) {
    var (count, failed) = (0, 0)
    var start = MonotonicInstant.now()
    configuration.runTests(containing: filter, restarts: invocation.has("restarts"), explaining: places) { outcome in
      count += 1
      failed += outcome.hasPassed ? 0 : 1
      tell(outcome)
      report.add(outcome, taking: MonotonicInstant.now() - start)
      start = MonotonicInstant.now()
    }
    self.count += count
    if failed > 0, status == .ok { status = .failed }
    if !invocation.isJSON, !isReportPrinted {
      invocation.output.line(MarkedText("\(path): ") + Self.summary(count, failed))
    }
  }

  private var isReportPrinted: Bool { invocation.text("junit") == "-" }

  private static func summary(_ count: Int, _ failed: Int) -> MarkedText {
    if count == 0 { return "no tests" }
    return failed == 0
      ? MarkedText("\(counted(count, "test")) passed", .success)
      : MarkedText("\(failed) of \(counted(count, "test")) failed", .error)
  }

  private func tell(_ outcome: TestOutcome) {
    if isReportPrinted { return }
    if invocation.isJSON { return invocation.output.line(outcome.json.description) }
    for line in outcome.reportLines { invocation.output.line(line) }
    guard outcome.hasPassed, invocation.has("verbose") else { return }
    let test = outcome.test
    invocation.output.line(
      MarkedText("\(test.place): ", .title) + MarkedText("passed:", .success)
        + MarkedText(" \(test.graph): \(test.name)"))
  }

  func finish() throws(CommandError) {
    if isReportPrinted {
      for line in report.xml.split(separator: "\n") { invocation.output.line(String(line)) }
    } else if let path = invocation.text("junit") {
      try OutputFile.write(report.xml, to: path)
    }
    if status != .ok { throw CommandError(status, nil) }
    if count == 0, !filter.isEmpty { throw CommandError(.failed, "no test has a name that contains \(filter)") }
  }
}

extension TestOutcome {
  /// One object: `{"graph","test","file","line","passed","failures":[{"file","line","column","message","text"}]}`.
  fileprivate var json: JSONValue {
    let failures = failures.map { failure -> JSONValue in
      [
        "file": .string(failure.place.file), "line": .number(Double(failure.place.line)),
        "column": .number(Double(failure.place.column)), "message": .string(failure.summary),
        "text": .string(failure.lines.map(\.plain).joined(separator: "\n")),
      ]
    }
    return [
      "graph": .string(test.graph), "test": .string(test.name), "file": .string(test.place.file),
      "line": .number(Double(test.place.line)), "passed": .bool(hasPassed), "failures": .array(failures),
    ]
  }
}
