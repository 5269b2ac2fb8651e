internal import GraphModel
internal import JSON
internal import Linux
internal import Persistence
internal import WireProtocol

/// The loop of `dev` in a terminal: at each save it checks, tests and reloads, and shows the verdicts.
final class DevelopmentLoop {
  /// The pause after a change before the files are read, since editors write several times.
  private static let settling = Duration.milliseconds(60)
  /// The pause after a change whose writer still has the file open.
  private static let writing = Duration.milliseconds(400)
  private static let leastPause = Duration.milliseconds(50)
  private static let connecting = Duration.milliseconds(10)
  /// A daemon that ends twice within this time is not started again before the next save.
  private static let leastLife = Duration.seconds(5)

  private let invocation: Invocation
  private let path: String
  private let isFresh: Bool
  private let daemon: DevelopmentDaemon
  private let screen: ScreenLoop
  private var files: WatchedFiles?

  private var check: CheckVerdict
  /// The newest configuration without errors.
  private var valid: CheckVerdict?
  private var tests: TestVerdict?
  private var testRun: ProgramRun?
  private var testErrors: [String] = []
  private var daemonLine: MarkedText = "not started"
  private var reload: ReloadVerdict?
  private var isReloadDue = false
  private var live: LiveSignals?
  private var trouble: String?
  /// The end of the daemon before, for its next verdict.
  private var story = ""
  /// The time of its last end that was not requested.
  private var lastEnd: MonotonicInstant?

  private let console: DevelopmentConsole
  private let browserPage: BrowserPage

  private var changes: LoopTimer?
  private var isChangeOfFile = false
  private var pictures: LoopTimer?
  private var isRedrawDue = false
  private var connections: LoopTimer?
  private var steps: LoopTimer?

  init(
    _ invocation: Invocation, _ path: String, isFresh: Bool, isDry: Bool, in folder: DevelopmentFolder
  ) throws(CommandError) {
    self.invocation = invocation
    self.path = path
    self.isFresh = isFresh
    daemon = DevelopmentDaemon(path, in: folder, isDry: isDry)
    check = CheckVerdict(path)
    if let reason = check.unreadable { throw CommandError(.unreadable, "\(reason); signalbox init writes a first one") }
    let relay = Relay()
    screen = try ScreenLoop(
      invocation.output, lines: { relay.loop?.lines ?? [] }, press: { relay.loop?.press($0) ?? false })
    console = DevelopmentConsole(path, state: daemon.folder.state, screen) { relay.loop?.change() }
    browserPage = BrowserPage(path, of: daemon.folder)
    relay.loop = self
  }

  /// The reference of the screen to this object, which is created after it.
  private final class Relay {
    weak var loop: DevelopmentLoop?
  }

  /// Runs until the user quits, and ends all processes.
  func run() throws(CommandError) {
    defer { end() }
    changes = try screen.addTimer { [unowned self] in try readAgain() }
    pictures = try screen.addTimer { [unowned self] in
      isRedrawDue = false
      screen.draw()
    }
    connections = try screen.addTimer { [unowned self] in try connect() }
    steps = try screen.addTimer { [unowned self] in
      live?.step()
      try set(steps, in: .seconds(1))
      screen.draw()
    }
    files = WatchedFiles(try screen.addFileWatcher()) { [unowned self] change, isOfFolder in
      if !isOfFolder { isChangeOfFile = true }
      try? set(changes, in: change == .done ? Self.settling : Self.writing)
    }
    try set(steps, in: .seconds(1))
    try takeCheck()
    screen.draw()
    try screen.run()
  }

  private func end() {
    testRun?.kill()
    console.end()
    browserPage.stop()
    daemon.stop()
  }

  private func set(_ timer: LoopTimer?, in pause: Duration) throws(CommandError) {
    do throws(Errno) { try timer?.set(.now() + pause) } catch { throw CommandError(.internal, "\(error)") }
  }

  /// Draws the page soon.
  private func change() {
    if isRedrawDue { return }
    isRedrawDue = true
    try? set(pictures, in: Self.leastPause)
  }

  // MARK: A save

  private func readAgain() throws(CommandError) {
    let before = check
    check = CheckVerdict(path)
    // Other files in conf.d, such as an editor's, change nothing.
    let isNothing = !isChangeOfFile && check.inputs.hasFiles(of: before.inputs)
    isChangeOfFile = false
    if isNothing { return files?.watch(check.inputs) ?? () }
    console.reset()
    try takeCheck()
  }

  /// Continues with the outcome of the check: tests, and a reload or a start.
  private func takeCheck(isFresh: Bool = false) throws(CommandError) {
    files?.watch(check.inputs)
    lastEnd = nil
    testRun?.kill()
    testRun = nil
    tests = nil
    reload = nil
    change()
    guard check.configuration != nil else { return }
    valid = check
    try startTests()
    let isFresh = isFresh || self.isFresh
    if daemon.isRunning, !isFresh { try reloadDaemon() } else { try launch(isFresh: isFresh) }
  }

  private func startTests() throws(CommandError) {
    tests = TestVerdict()
    testErrors = []
    let run = try ProgramRun([CurrentProcess.programPath, "test", "--json", "--config", path]) {
      [unowned self] stream, line in
      if stream == .output {
        tests?.add(line)
      } else if testErrors.count < DevelopmentConsole.mostLines {
        testErrors.append(line)
      }
      change()
    }
    testRun = run
    try run.follow(screen) { [unowned self] status in
      tests?.end(status)
      testRun = nil
      change()
    }
  }

  // MARK: The daemon

  private func launch(isFresh: Bool) throws(CommandError) {
    live = nil
    reload = nil
    isReloadDue = false
    trouble = "no daemon"
    daemonLine = "starting"
    try daemon.launch(isFresh: isFresh)
    try daemon.follow(screen) { [unowned self] words in
      do throws(CommandError) { try daemonEnded(words) } catch {
        daemonLine = MarkedText(error.message ?? "cannot be started", .error)
      }
    }
    try set(connections, in: Self.connecting)
  }

  private func connect() throws(CommandError) {
    guard daemon.isRunning, live?.isLost ?? true else { return }
    guard let connection = daemon.connect(invocation.output) else { return try set(connections, in: Self.connecting) }
    let isFirst = live == nil
    let live = LiveSignals(connection, continuing: live)
    self.live = live
    try live.follow(screen, onChange: { [unowned self] in change() }, onLoss: { [unowned self] in try lose() })
    try live.ask(HelloRequest()) { [unowned self] _ in
      do throws(CommandError) { try isFirst ? daemonStarted() : connectedAgain() } catch { try? lose() }
    }
  }

  private func connectedAgain() throws(CommandError) {
    trouble = nil
    daemonLine = "connected again"
    try live?.follow(valid?.runningSignals ?? [])
    if isReloadDue { try reloadDaemon() }
    change()
  }

  private func daemonStarted() throws(CommandError) {
    trouble = nil
    let time = MarkedText("  \((MonotonicInstant.now() - daemon.start).shown)", .aside)
    let state = isFresh ? ", without state" : ""
    daemonLine = MarkedText(story, .error) + MarkedText("started", .success) + MarkedText(state) + time
    story = ""
    try live?.follow(valid?.runningSignals ?? [])
    if invocation.has("view") { try browserPage.start(screen) { [unowned self] in change() } }
    if isReloadDue { try reloadDaemon() }
    change()
  }

  private func reloadDaemon() throws(CommandError) {
    guard let live, trouble == nil else {
      isReloadDue = true
      return
    }
    isReloadDue = false
    daemonLine = "reloading"
    let start = MonotonicInstant.now()
    var dryRun = ReloadRequest()
    dryRun.dryRun = true
    var forecast: ServerLine?
    try live.ask(dryRun) { forecast = $0.isRefusal ? nil : $0 }
    try live.ask(ReloadRequest()) { [unowned self] answer in
      let verdict = ReloadVerdict(answer, forecast: forecast, taking: MonotonicInstant.now() - start)
      reload = verdict
      daemonLine = MarkedText("reloaded: ") + verdict.line
      if verdict.isAccepted { try? self.live?.follow(valid?.runningSignals ?? []) }
    }
  }

  /// Continues after the connection was lost; the end of the daemon follows, unless it goes on after a handover that has
  /// failed.
  private func lose() throws(CommandError) {
    trouble = "no daemon; these were the last values"
    change()
    try set(connections, in: Self.connecting)
  }

  private func daemonEnded(_ words: String) throws(CommandError) {
    let now = MonotonicInstant.now()
    let wasRunning = live != nil && lastEnd.map { now - $0 > Self.leastLife } ?? true
    lastEnd = now
    live = nil
    trouble = "no daemon"
    change()
    guard wasRunning, valid != nil else {
      daemonLine = MarkedText("\(words); starts again at the next save", .error)
      return
    }
    story = "\(words), "
    try launch(isFresh: isFresh)
  }

  // MARK: Keys

  private func press(_ key: Key) -> Bool {
    let size = ScreenLoop.size
    let room = page.room(rows: size.rows, columns: size.columns)
    switch console.press(key, page: room, valid?.configuration, live) {
    case .quit: return true
    case .startAgain: startAgain()
    case nil: break
    }
    return false
  }

  private func startAgain() {
    do throws(CommandError) {
      check = CheckVerdict(path)
      if check.configuration != nil { daemon.stop() }
      try takeCheck(isFresh: true)
    } catch { console.show("r", error) }
  }

  // MARK: The page

  private var lines: [String] {
    let size = ScreenLoop.size
    var page = page
    console.scrolling.limit(
      to: page.length(columns: size.columns), page: page.room(rows: size.rows, columns: size.columns))
    page.first = console.scrolling.first
    return page.lines(rows: size.rows, columns: size.columns, invocation.output.palette)
  }

  private var page: DevelopmentPage {
    let old = check.configuration == nil && live != nil ? "; the last valid configuration stays active" : ""
    var verdicts = [
      ("check", check.line + MarkedText(old, .warning)), ("test", tests?.line ?? MarkedText("not run", .aside)),
      ("daemon", daemonLine), ("socket", MarkedText(daemon.folder.socket, .aside)),
    ]
    if let effects = valid?.configuration.flatMap({ EffectsText($0, isDry: daemon.isDry) }) {
      verdicts.append(("effects", effects.line))
    }
    if let end = browserPage.end { verdicts.append(("page", MarkedText(end))) }
    return DevelopmentPage(
      title: "signalbox dev \(path)", verdicts: verdicts, address: browserPage.address, details: details,
      signals: live?.signals ?? [],
      trouble: trouble, prompt: console.prompt, first: console.scrolling.first)
  }

  /// The answer to a key, then failures in the order of the verdicts, separated by blank lines.
  private var details: [MarkedText] {
    var sections = [console.notice]
    let isInvalid = check.configuration == nil
    if isInvalid { sections.append(check.details) }
    if let tests {
      sections.append(tests.details + (tests.hasProblem ? testErrors.map { MarkedText($0) } : []))
    }
    sections += [reload?.details ?? [], daemon.log.lines]
    if !isInvalid { sections.append(check.details) }
    if let fault = files?.fault { sections.append([MarkedText("some changes may be missed: \(fault)", .warning)]) }
    return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
  }
}
