internal import Linux

/// The private daemon of a configuration.
final class DevelopmentDaemon {
  /// Environment variables that concern the service of this program, and none that it starts.
  private static let withheld = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "JOURNAL_STREAM",
    "STATE_DIRECTORY", "SIGNALBOX_DRY_RUN",
  ]

  let folder: DevelopmentFolder
  /// True if it calls, writes and publishes nothing.
  let isDry: Bool
  private let program: String
  private let path: String
  private(set) var log = DaemonLog()
  private var run: ProgramRun?
  /// The time of its start.
  private(set) var start = MonotonicInstant.now()

  var isRunning: Bool { run != nil }

  init(_ path: String, in folder: DevelopmentFolder, isDry: Bool) {
    self.path = path
    self.isDry = isDry
    self.folder = folder
    program = CurrentProcess.programBeside("signalboxd")
  }

  /// Starts it.
  ///
  /// - Parameter isFresh: True to discard all state.
  func launch(isFresh: Bool) throws(CommandError) {
    stop()
    if isFresh { try folder.discardState() }
    log.clear()
    start = .now()
    let environment = CurrentProcess.environmentLines.filter { line in
      !Self.withheld.contains { line.hasPrefix("\($0)=") }
    }
    run = try ProgramRun(
      [program, "--config", path],
      environment: environment + ["SIGNALBOX_PRIVATE_DIRECTORY=\(folder.path)", "SIGNALBOX_DRY_RUN=\(isDry ? 1 : 0)"]
    ) { [unowned self] _, line in log.add(line) }
  }

  /// Delivers its end by a loop; its log is read meanwhile.
  func follow(_ screen: ScreenLoop, onEnd: @escaping (String) -> Void) throws(CommandError) {
    try run?.follow(screen) { [unowned self] status in
      run = nil
      onEnd(status.words)
    }
  }

  /// Waits until it ends, or until a deadline.
  ///
  /// - Returns: Its end in words.
  func wait(until deadline: MonotonicInstant) throws(CommandError) -> String? {
    guard let status = try run?.wait(until: deadline) else { return nil }
    run = nil
    return status.words
  }

  /// Ends it.
  func stop() {
    run?.stop()
    run = nil
  }

  /// Connects to it; `nil` while it does not listen yet.
  func connect(_ output: Output) -> Connection? {
    try? Connection(path: folder.socket, output: output, echoesLines: false)
  }
}
