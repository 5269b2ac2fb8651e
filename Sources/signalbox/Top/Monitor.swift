internal import JSON
internal import Linux
internal import WireProtocol

/// The monitor of the daemon's statistics, which shows their changes at intervals.
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
      "SIGNAL", "VALUES/S", "LATENCY", "SUBSCRIBERS", "VALUES", "ERRORS", "DROPPED", "LOST", "AGE", "ENDED", "WAITING",
      "OLDEST",
      "FAILURE")
    for activity in view.chosen(Activity.all(from: first, to: second)) {
      let counts = activity.counts
      let numbers = [counts.subscribers, counts.values, counts.errors, counts.dropped, counts.lost]
      let figures = [activity.rate, activity.latency ?? 0] + numbers
      let age = counts.age.map { JSONValue.number($0).description } ?? "-"
      let oldest = counts.oldest.map { JSONValue.number($0).description } ?? "-"
      table.add(
        [activity.name] + figures.map { JSONValue.number($0).description }
          + [age, counts.ending ?? "-", JSONValue.number(counts.waiting).description, oldest, counts.failure ?? "-"])
    }
    table.print(to: output)
  }

  /// A mistyped pattern would show nothing forever; signals that a reload removes later leave an empty table.
  private func refuseNothing(in first: Sample) throws(CommandError) {
    if let pattern, first.signals.isEmpty { throw .nothing(coveredBy: pattern) }
  }

  // MARK: In a terminal

  /// Redraws the table at each interval, until the user quits.
  func watch() throws(CommandError) {
    let screen = try ScreenLoop(
      output, lines: { [unowned self] in lines },
      press: { [unowned self] in view.press($0, page: TopPage.room(rows: ScreenLoop.size.rows)) })
    let input = try screen.addInput(connection.descriptor) { [unowned self, unowned screen] in try receive(screen) }
    timer = try screen.addTimer { [unowned self] in try ring() }
    // The first interval is short: the figures need two answers.
    try setTimer(min(interval, .milliseconds(250)))
    try ask()
    try screen.run()
    withExtendedLifetime(input) {}
  }

  private func setTimer(_ pause: Duration) throws(CommandError) {
    do throws(Errno) { try timer?.set(MonotonicInstant.now() + pause) } catch {
      throw CommandError(.internal, "\(error)")
    }
  }

  private func ring() throws(CommandError) {
    try setTimer(interval)
    try ask()
  }

  /// Sends another request, unless the last one has not been answered.
  private func ask() throws(CommandError) {
    if isAsking { return }
    isAsking = true
    try connection.send(StatsRequest())
  }

  private func receive(_ screen: ScreenLoop) throws(CommandError) {
    try connection.receive()
    while let line = try connection.nextAtHand() {
      if let failure = line.failure { throw failure }
      isAsking = false
      let sample = try Sample(line, pattern)
      if latest == nil { try refuseNothing(in: sample) }
      before = latest
      latest = sample
      screen.draw()
    }
  }

  private var lines: [String] {
    guard let latest else { return [] }
    let size = ScreenLoop.size
    let activities = Activity.all(from: before ?? latest, to: latest)
    view.keepWithin(view.chosen(activities).count, page: TopPage.room(rows: size.rows))
    return TopPage(latest, activities, view).lines(rows: size.rows, columns: size.columns)
  }
}
