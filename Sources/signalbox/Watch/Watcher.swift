internal import ClientCore
internal import JSON
internal import Linux
internal import WireProtocol

/// The watcher: subscribes, and shows the newest value of each signal.
final class Watcher {
  /// The least pause between redraws while there are new values.
  private static let leastPause = Duration.milliseconds(50)

  private let invocation: Invocation
  private let patterns: [SignalPattern]
  private let interval: Duration
  private let isRaw: Bool

  private var signals: [WatchedSignal] = []
  private var places: [String: Int] = [:]
  private var scrolling = Scrolling()
  private var trouble: String?

  private var connection: Connection?
  private var input: EventSource?
  private var wasConnected = false
  /// The epoch of the daemon, and the generation of its configuration.
  private var epoch = ""
  private var generation: Int?
  /// True until the daemon has told them.
  private var isHelloDue = false
  /// True if a signal has its first value, which it may hold.
  private var isListDue = false
  /// Requests for what the daemon retains, with their patterns.
  private var questions: [RequestID: SignalPattern] = [:]
  /// The interruption of a signal, which another connection resumes.
  private var interruption: CommandError?
  private var backoff = Backoff()

  private var steps: LoopTimer?
  private var pictures: LoopTimer?
  private var isRedrawDue = false
  private var retries: LoopTimer?

  init(_ invocation: Invocation, _ patterns: [SignalPattern], interval: Duration) {
    self.invocation = invocation
    self.patterns = patterns
    self.interval = max(interval, Self.leastPause)
    isRaw = invocation.has("raw")
  }

  private func subscribe() throws(CommandError) -> Connection {
    let connection = try invocation.connect()
    questions = [:]
    generation = nil
    interruption = nil
    if !invocation.isJSON { try greet(connection) }
    for pattern in patterns {
      var request = SubscribeRequest(signal: pattern)
      request.subscription = pattern.text
      request.timestamps = true
      request.overflow = .latest
      try connection.send(request)
    }
    if !invocation.isJSON { try list(connection) }
    return connection
  }

  private func greet(_ connection: Connection) throws(CommandError) {
    isHelloDue = true
    try connection.send(HelloRequest())
  }

  /// Asks for the units, which events do not contain, and for the values that the signals hold.
  private func list(_ connection: Connection) throws(CommandError) {
    isListDue = false
    for pattern in patterns {
      var list = ListRequest()
      list.pattern = pattern
      try connection.send(list)
      var values = ValuesRequest()
      values.pattern = pattern
      questions[try connection.send(values)] = pattern
    }
  }

  // MARK: Lines

  private func take(_ line: ServerLine) throws(CommandError) {
    let name = line.string("signal") ?? ""
    switch line.kind {
    case .reply("list"):
      // The list includes signals without permission to subscribe.
      for signal in line.objects("signals") {
        guard let place = places[signal.text("signal")] else { continue }
        signals[place].unit = signal.text("unit")
        if case .number(let count)? = signal["precision"]?.plain { signals[place].precision = Int(count) }
      }
    case .reply("hello"): try note(generation: line.number("generation"), epoch: line.string("epoch") ?? "")
    case .reply where line.id.map { questions[$0] != nil } == true: settle(line)
    case .reply:
      if let failure = line.failure {
        // A signal that a reload has removed shows its last state.
        if wasConnected, [.unknown, .denied].contains(failure.status) { return }
        throw failure
      }
      for signal in line.objects("signals") { signals[place(of: signal.text("signal"))].begin() }
    case .event("next"):
      if signals[place(of: name)].isNew { isListDue = true }
      signals[place(of: name)].take(line, isRaw: isRaw, epoch: epoch)
    case .event("subscribed"): signals[place(of: name)].begin()
    case .event where line.interruption != nil: interruption = interruption ?? line.interruption
    case .event(let event) where line.isEnding:
      signals[place(of: name)].end(event, event == "failed" ? line.message : line.string("reason"))
    case .event: break
    }
  }

  /// Asks again after a reload, which may have discarded values.
  private func note(generation: Int?, epoch: String) throws(CommandError) {
    self.epoch = epoch
    isHelloDue = false
    defer { self.generation = generation }
    if let connection, let before = self.generation, before != generation { try list(connection) }
  }

  private func settle(_ line: ServerLine) {
    // There may be too many values for one reply.
    guard let pattern = line.id.flatMap({ questions.removeValue(forKey: $0) }), line.failure == nil else { return }
    let retained = Set(line.objects("values").map { $0.text("signal") })
    for index in signals.indices where pattern.matches(signals[index].name) {
      signals[index].settle(isRetained: retained.contains(signals[index].name), epoch: epoch)
    }
  }

  private func place(of name: String) -> Int {
    if let place = places[name] { return place }
    signals.append(WatchedSignal(name))
    places[name] = signals.count - 1
    return signals.count - 1
  }

  private func step() {
    let now = MonotonicInstant.now()
    for index in signals.indices { signals[index].step(now) }
  }

  // MARK: In a pipe

  /// Prints one table, after one interval.
  func printOnce() throws(CommandError) {
    let connection = try subscribe()
    let settling = try connection.send(PingRequest())
    while let line = try connection.next() {
      if line.kind == .reply("ping"), line.id == settling { break }
      try take(line)
    }
    step()
    let end = MonotonicInstant.now() + interval
    while let line = try connection.next(until: end) { try take(line) }
    if let interruption { throw interruption }
    step()
    if invocation.isJSON { return }
    let now = WallTime.now()
    var table = Table("SIGNAL", "VALUE", "AGE", "VALUES/S", "ENDED", "UNIT")
    for signal in signals {
      let figures = [signal.age(now), signal.rate].map { $0.map { JSONValue.number($0).description } ?? "-" }
      let rest = [signal.ending ?? "-", signal.unit.isEmpty ? "-" : signal.unit]
      table.add([signal.name, signal.value] + figures + rest)
    }
    table.print(to: invocation.output)
  }

  // MARK: In a terminal

  /// Shows the signals until the user quits.
  func watch() throws(CommandError) {
    // An unknown name is reported before the screen is set up.
    connection = try subscribe()
    let screen = try ScreenLoop(
      invocation.output, lines: { [unowned self] in lines }, press: { [unowned self] in press($0) })
    pictures = try screen.addTimer { [unowned self, unowned screen] in
      isRedrawDue = false
      screen.draw()
    }
    retries = try screen.addTimer { [unowned self, unowned screen] in try connectAgain(screen) }
    steps = try screen.addTimer { [unowned self, unowned screen] in
      step()
      // A reload is not announced to subscribers. A failure to send is noticed as the end of the connection.
      if wasConnected, !isHelloDue, let connection {
        if isListDue { try? list(connection) }
        try? greet(connection)
      }
      try Self.set(steps, in: interval)
      screen.draw()
    }
    try Self.set(steps, in: interval)
    try listen(screen)
    try screen.run()
  }

  private static func set(_ timer: LoopTimer?, in pause: Duration) throws(CommandError) {
    do throws(Errno) { try timer?.set(.now() + pause) } catch { throw CommandError(.internal, "\(error)") }
  }

  private func listen(_ screen: ScreenLoop) throws(CommandError) {
    guard let connection else { return }
    input = try screen.addInput(connection.descriptor) { [unowned self, unowned screen] in try receive(screen) }
  }

  private func receive(_ screen: ScreenLoop) throws(CommandError) {
    do throws(CommandError) {
      try connection?.receive()
      while let line = try connection?.nextAtHand() { try take(line) }
      wasConnected = true
      if let interruption { throw interruption }
      trouble = nil
      backoff.reset()
    } catch {
      guard error.status == .unreachable, wasConnected else { throw error }
      try lose(error)
    }
    guard !isRedrawDue else { return }
    isRedrawDue = true
    try Self.set(pictures, in: Self.leastPause)
  }

  private func lose(_ error: CommandError) throws(CommandError) {
    input = nil
    connection = nil
    trouble = "\(error.message ?? "connection lost"); showing the last values"
    try Self.set(retries, in: backoff.pause())
  }

  private func connectAgain(_ screen: ScreenLoop) throws(CommandError) {
    do throws(CommandError) {
      connection = try subscribe()
      try listen(screen)
    } catch {
      guard [.unreachable, .denied].contains(error.status) else { throw error }
      try lose(error)
    }
  }

  private func press(_ key: Key) -> Bool {
    if key == .character("q") { return true }
    scrolling.press(key, page: WatchPage.room(rows: ScreenLoop.size.rows))
    return false
  }

  private var lines: [String] {
    let size = ScreenLoop.size
    scrolling.limit(to: signals.count, page: WatchPage.room(rows: size.rows))
    return WatchPage(signals: signals, first: scrolling.first, trouble: trouble).lines(
      rows: size.rows, columns: size.columns)
  }
}
