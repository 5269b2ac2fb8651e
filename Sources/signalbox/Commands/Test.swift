internal import GraphCatalogue
internal import GraphModel
internal import GraphTools
internal import JSON
internal import Linux

extension Command {
  static let test = Command(
    name: "test", operands: "[FILE|DIRECTORY…]", kinds: [.configuration],
    summary: "run the tests of a configuration, in virtual time",
    details: """
      Each test starts a fresh graph at 0s on a virtual clock, so that hours pass in milliseconds. Programs, files and
      actions never run: the test gives their values. A failed test shows the expected and the actual events, one below
      the other, and the status is 1. No daemon is needed.
      """,
    options: [
      ConfigurationFiles.option,
      Option(name: "filter", letter: "f", argument: "TEXT", doc: "only tests whose name contains TEXT"),
      Option(
        name: "junit", argument: "FILE", doc: "also write a JUnit XML report; - for standard output",
        kind: .file),
      Option(
        name: "restarts",
        doc: "encode and rebuild all graphs between any two instants, as after a crash of the daemon"),
      Option(name: "why", doc: "explain each difference: the provenance of the value, or where it was dropped"),
      Option(name: "json", letter: "j", doc: "print each result as a line of JSON"),
      Option(name: "verbose", letter: "v", doc: "also list passed tests"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox test graphs.yaml", "all tests of one file"),
      Example("signalbox test --junit report.xml graphs/*.yaml", "for a CI system"),
      Example("signalbox test --filter alarm --verbose graphs.yaml", "selected by name"),
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

/// The run of the tests in several configurations, and its report.
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

  /// Runs the tests of one file; an invalid one does not prevent the others.
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
      report(outcome)
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

  private func report(_ outcome: TestOutcome) {
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
    if count == 0, !filter.isEmpty { throw CommandError(.failed, "no test name contains \(filter)") }
  }
}

extension TestOutcome {
  /// The result as an object:
  /// `{"graph","test","file","line","passed","failures":[{"file","line","column","message","text"}]}`.
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
