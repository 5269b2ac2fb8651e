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
  private var view = TopView()
  private var before: Sample?
  private var latest: Sample?
  private var isAsking = false
  private var timer: LoopTimer?

  init(
    _ invocation: Invocation, pattern: SignalPattern?, interval: Duration, order: TopOrder
  ) throws(CommandError) {
    output = invocation.output
    isJSON = invocation.isJSON
    connection = try invocation.connect()
    self.pattern = pattern
    self.interval = interval
    view.order = order
  }

  /// Prints one table of an interval.
  func printOnce() throws(CommandError) {
    let first = try Sample(connection.ask(StatsRequest()), pattern)
    try refuseNothing(in: first)
    let end = MonotonicInstant.now() + interval
    while try connection.next(until: end) != nil {}
    let second = try Sample(connection.ask(StatsRequest()), pattern)
    if isJSON { return }
    var table = Table(
      "SIGNAL", "VALUES/S", "LATENCY", "SUBSCRIBERS", "VALUES", "ERRORS", "DROPPED", "LOST", "AGE", "ENDED")
    for activity in view.chosen(Activity.all(from: first, to: second)) {
      let counts = activity.counts
      let numbers = [counts.subscribers, counts.values, counts.errors, counts.dropped, counts.lost]
      let figures = [activity.rate, activity.latency ?? 0] + numbers
      let age = counts.age.map { JSONValue.number($0).description } ?? "-"
      table.add(
        [activity.name] + figures.map { JSONValue.number($0).description } + [age, counts.ending ?? "-"])
    }
    table.print(to: output)
  }

  /// A mistyped pattern would show nothing for ever; signals that a reload removes later leave an empty table.
  private func refuseNothing(in first: Sample) throws(CommandError) {
    if let pattern, first.signals.isEmpty { throw .nothing(coveredBy: pattern) }
  }

  // MARK: In a terminal

  /// Draws the table anew at each interval, until the user quits.
  func watch() throws(CommandError) {
    let screen = TerminalScreen(output)
    do {
      let loop = try EventLoop()
      let sources = try attach(to: loop, screen)
      try ask()
      _ = try loop.run()
      withExtendedLifetime((screen, sources)) {}
    } catch {
      throw error as? CommandError ?? CommandError(.internal, "\(error)")
    }
  }

  private func attach(to loop: EventLoop, _ screen: TerminalScreen) throws -> [AnyObject] {
    // A failure ends the loop, which throws it.
    func failing(_ work: @escaping () throws -> Void) -> () -> Void {
      { [unowned loop] in do { try work() } catch { loop.fail(error) } }
    }
    var sources: [AnyObject] = try [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
      try loop.addSignal(number) { [unowned loop] in loop.stop() }
    }
    sources.append(try loop.addSignal(SIGWINCH) { [self] in draw(on: screen) })
    // The person there has the terminal to themselves while this is stopped.
    sources.append(
      try loop.addSignal(SIGTSTP) {
        screen.leave()
        raise(SIGSTOP)
      })
    sources.append(
      try loop.addSignal(SIGCONT) { [self] in
        screen.enter()
        draw(on: screen)
      })
    sources.append(try loop.addInput(connection.descriptor, failing { [self] in try receive(screen) }))
    if screen.hasKeys {
      sources.append(
        try loop.addInput(StandardStream.input.rawValue) { [self, unowned loop] in
          if isEndPressed() { loop.stop() } else { draw(on: screen) }
        })
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

  private func receive(_ screen: TerminalScreen) throws(CommandError) {
    try connection.receive()
    while let line = try connection.nextAtHand() {
      if let failure = line.failure { throw failure }
      isAsking = false
      let sample = try Sample(line, pattern)
      if latest == nil { try refuseNothing(in: sample) }
      before = latest
      latest = sample
      draw(on: screen)
    }
  }

  /// Carries out the keys that were pressed.
  private func isEndPressed() -> Bool {
    guard let bytes = try? Transfer(StandardStream.input.rawValue).readChunk() else { return true }
    let room = TopPage.room(rows: size.rows)
    return Key.pressed(bytes).contains { view.press($0, page: room) }
  }

  private var size: (rows: Int, columns: Int) { Terminal.size ?? (rows: 24, columns: 80) }

  private func draw(on screen: TerminalScreen) {
    guard let latest else { return }
    let activities = Activity.all(from: before ?? latest, to: latest)
    view.keepWithin(view.chosen(activities).count, page: TopPage.room(rows: size.rows))
    screen.draw(TopPage(latest, activities, view).lines(rows: size.rows, columns: size.columns))
  }
}
