internal import GraphModel
internal import GraphTools
internal import Linux
internal import WireProtocol

/// One pass of `dev` for scripts: a check, the tests and a start, with plain verdicts.
struct DevelopmentRun {
  /// A daemon that does not answer within this time has not started.
  private static let patience = Duration.seconds(30)
  private static let pause = Duration.milliseconds(10)

  let output: Output
  let path: String
  /// True to call, write and publish nothing.
  let isDry: Bool

  /// - Throws: The failure of the first of the three; a failed test does not prevent the start.
  func run(in folder: DevelopmentFolder) throws(CommandError) {
    let check = CheckVerdict(path)
    if let reason = check.unreadable { throw CommandError(.unreadable, reason) }
    output.complain(check.details)
    output.line(MarkedText("check: ") + check.line)
    guard let configuration = check.configuration else { throw CommandError(.badConfiguration, nil) }
    let isPassed = test(configuration)
    if let effects = EffectsText(configuration, isDry: isDry) { output.line(MarkedText("effects: ") + effects.line) }
    try output.flush()
    try start(folder)
    if !isPassed { throw CommandError(.failed, nil) }
  }

  private func test(_ configuration: Configuration) -> Bool {
    let start = MonotonicInstant.now()
    var (count, failed) = (0, 0)
    configuration.runTests { outcome in
      count += 1
      failed += outcome.hasPassed ? 0 : 1
      for line in outcome.reportLines { output.line(line) }
    }
    let verdict =
      failed > 0
      ? MarkedText("\(failed) of \(counted(count, "test")) failed", .error)
      : count == 0 ? "no tests" : MarkedText("\(counted(count, "test")) passed", .success)
    output.line(MarkedText("test: ") + verdict + MarkedText("  \((MonotonicInstant.now() - start).shown)", .aside))
    return failed == 0
  }

  private func start(_ folder: DevelopmentFolder) throws(CommandError) {
    let daemon = DevelopmentDaemon(path, in: folder, isDry: isDry)
    defer { daemon.stop() }
    try daemon.launch(isFresh: false)
    let deadline = MonotonicInstant.now() + Self.patience
    var connection: Connection?
    while connection == nil, MonotonicInstant.now() < deadline {
      connection = daemon.connect(output)
      if connection == nil, let end = try daemon.wait(until: .now() + Self.pause) { throw refusal(daemon, end) }
    }
    try connection?.send(HelloRequest())
    guard try connection?.next(until: deadline) != nil else {
      output.complain(daemon.log.lines)
      throw CommandError(.notYet, "the daemon did not start within \(Self.patience.shown)")
    }
    output.complain(daemon.log.lines)
    let time = MonotonicInstant.now() - daemon.start
    output.line(MarkedText("start: ") + MarkedText("ready", .success) + MarkedText("  \(time.shown)", .aside))
  }

  private func refusal(_ daemon: DevelopmentDaemon, _ end: String) -> CommandError {
    output.complain(daemon.log.lines)
    return CommandError(.unreachable, "the daemon \(end)")
  }
}
