internal import Glibc
internal import JSON
internal import Linux
internal import WireProtocol

/// Asks for the daemon's counts at intervals and shows what has changed between them.
final class Monitor {
  private let output: Output
  private let isJSON: Bool
  private let connection: Connection
  private let pattern: SignalPattern?
  private let interval: Duration
  private var before: Sample?
  private var latest: Sample?
  private var isAsking = false
  private var timer: LoopTimer?

  init(_ invocation: Invocation, pattern: SignalPattern?, interval: Duration) throws(CommandError) {
    output = invocation.output
    isJSON = invocation.isJSON
    connection = try invocation.connect()
    self.pattern = pattern
    self.interval = interval
  }

  /// Prints one table of what happens in an interval.
  func printOnce() throws(CommandError) {
    let first = try Sample(connection.ask(StatsRequest()), pattern)
    let end = MonotonicInstant.now() + interval
    while try connection.next(until: end) != nil {}
    let second = try Sample(connection.ask(StatsRequest()), pattern)
    if isJSON { return }
    var table = Table(
      "SIGNAL", "VALUES/S", "LATENCY", "SUBSCRIBERS", "VALUES", "ERRORS", "DROPPED", "LOST", "AGE", "ENDED")
    for activity in Activity.all(from: first, to: second) {
      let counts = activity.counts
      let numbers = [counts.subscribers, counts.values, counts.errors, counts.dropped, counts.lost]
      let figures = [activity.rate, activity.latency ?? 0] + numbers
      let age = counts.age.map { JSONValue.number($0).description } ?? "-"
      table.add(
        [activity.name] + figures.map { JSONValue.number($0).description } + [age, counts.ending ?? "-"])
    }
    table.print(to: output)
  }

  // MARK: In a terminal

  /// Draws the table anew at each interval, until somebody has had enough.
  func watch() throws(CommandError) {
    let keys = KeyInput()
    output.text("\u{1b}[?1049h\u{1b}[?25l")
    defer {
      output.text("\u{1b}[?25h\u{1b}[?1049l")
      try? output.flush()
    }
    do {
      let loop = try EventLoop()
      let sources = try attach(to: loop, hasKeys: keys != nil)
      try ask()
      _ = try loop.run()
      withExtendedLifetime((keys, sources)) {}
    } catch {
      throw error as? CommandError ?? CommandError(.internal, "\(error)")
    }
  }

  private func attach(to loop: EventLoop, hasKeys: Bool) throws -> [AnyObject] {
    // A failure ends the loop, which throws it.
    func failing(_ work: @escaping () throws -> Void) -> () -> Void {
      { [unowned loop] in do { try work() } catch { loop.fail(error) } }
    }
    var sources: [AnyObject] = try [SIGINT, SIGTERM, SIGHUP].map { number in
      try loop.addSignal(number) { [unowned loop] in loop.stop() }
    }
    sources.append(try loop.addSignal(SIGWINCH) { [self] in draw() })
    sources.append(try loop.addInput(connection.descriptor, failing { [self] in try receive() }))
    if hasKeys {
      sources.append(
        try loop.addInput(StandardStream.input.rawValue) { [unowned loop] in if Self.isEndPressed() { loop.stop() } })
    }
    timer = try loop.addTimer(failing { [self] in try ring() })
    // The first figures come soon: they need two answers.
    try timer?.set(MonotonicInstant.now() + min(interval, .milliseconds(250)))
    loop.turnEnded = failing { [self] in try output.flush() }
    return sources
  }

  private func ring() throws {
    try timer?.set(MonotonicInstant.now() + interval)
    try ask()
  }

  /// Asks once more, unless the last answer has still to come.
  private func ask() throws(CommandError) {
    if isAsking { return }
    isAsking = true
    try connection.send(StatsRequest())
  }

  private func receive() throws(CommandError) {
    try connection.receive()
    while let line = try connection.nextAtHand() {
      if let failure = line.failure { throw failure }
      isAsking = false
      before = latest
      latest = try Sample(line, pattern)
      draw()
    }
  }

  private static func isEndPressed() -> Bool {
    guard let keys = try? Transfer(StandardStream.input.rawValue).readChunk() else { return true }
    return keys.contains(UInt8(ascii: "q"))
  }

  private func draw() {
    guard let latest else { return }
    let size = Terminal.size ?? (rows: 24, columns: 80)
    let page = TopPage(latest, Activity.all(from: before ?? latest, to: latest))
    let lines = page.lines(rows: size.rows, columns: size.columns)
    // Each line is cleared behind its text and the screen below the last, so that nothing flickers.
    output.text("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }
}
