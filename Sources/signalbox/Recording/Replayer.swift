internal import GraphModel
internal import GraphTools
internal import JSON
internal import Linux
internal import WireProtocol

/// The playback of a recording on standard input to a daemon, at its original speed or a multiple.
struct Replayer: ~Copyable {
  private let connection: Connection
  /// The selected signals that this user may send to.
  private let inputs: Set<String>
  /// The speed factor; `nil` for no pauses.
  private let speed: Double?

  private var reader = RecordingReader()
  /// The time of the first live event, and the time at which it was sent.
  private var start: (time: RecordedTime, instant: MonotonicInstant)?
  private var received = ReceivedValues()
  /// The signals that the recording has ended.
  private var ended: Set<String> = []
  private var passedOver: Set<String> = []

  /// Requests to be sent together.
  private var requests: [UInt8] = []
  private var unanswered = 0
  private var count = 0
  private var refusals = Refusals()

  init(_ connection: Connection, _ patterns: [SignalPattern], speed: Double?) throws(CommandError) {
    self.connection = connection
    self.speed = speed
    let names = try connection.ask(ListRequest()).objects("signals").filter { $0["send"] == true }.map {
      $0.text("signal")
    }
    for pattern in patterns where !names.contains(where: pattern.matches) {
      throw CommandError(.unknown, "no input matches \(pattern.text); see signalbox list")
    }
    inputs = Set(names.filter { name in patterns.isEmpty || patterns.contains { $0.matches(name) } })
    refusals.unit = "line"
  }

  mutating func run() throws(CommandError) {
    while let event = try reader.next() {
      guard inputs.contains(event.signal) else {
        passedOver.insert(event.signal)
        continue
      }
      guard received.admit(event) else { continue }
      try waitUntilDue(event)
      try send(event)
    }
    try flush()
    while unanswered > 0, let answer = try connection.next() { take(answer) }
    printSkipped()
    try refusals.report(of: count)
  }

  private mutating func send(_ event: RecordedEvent) throws(CommandError) {
    count += 1
    let id = RequestID(reader.line)
    switch event.content {
    case .value(let value):
      requests += SendRequest(signal: event.signal, value: .value(value)).line(id: id)
    case .ending(let ending):
      ended.insert(event.signal)
      requests += Self.request(ending, of: event.signal).line(id: id)
    case .beginning:
      guard ended.remove(event.signal) != nil else { return }
      var request = RestartRequest()
      request.signal = event.signal
      requests += request.line(id: id)
    }
    unanswered += 1
    if requests.count >= 32 << 10 { try flush() }
  }

  private static func request(_ ending: SignalEnding, of signal: String) -> SendRequest {
    var request = SendRequest()
    request.signal = signal
    switch ending {
    case .completed: request.event = .completed
    case .interrupted: request.event = .interrupted
    case .failed(let failure):
      request.event = .failed
      request.error = Failure(code: failure.code, message: failure.message)
    }
    return request
  }

  // MARK: Pace

  private mutating func waitUntilDue(_ event: RecordedEvent) throws(CommandError) {
    guard let speed, !event.isRetained else { return }
    guard let start else {
      start = (event.time, .now())
      return
    }
    guard event.time.isComparable(to: start.time) else {
      throw reader.failure(RecordingError("timestamps and times since the start cannot be mixed"))
    }
    let due = start.instant + (event.time.sortKey - start.time.sortKey) / speed
    guard due > .now() else { return }
    try flush()
    while due > .now(), let answer = try connection.next(until: due) { take(answer) }
  }

  // MARK: Answers

  private mutating func flush() throws(CommandError) {
    try connection.send(requests)
    requests.removeAll(keepingCapacity: true)
    while let answer = try connection.nextAtHand() { take(answer) }
  }

  private mutating func take(_ answer: ServerLine) {
    guard case .reply = answer.kind else { return }
    unanswered -= 1
    if let failure = answer.failure { refusals.add(answer.number("id"), failure) }
  }

  private func printSkipped() {
    if passedOver.isEmpty { return }
    let names = passedOver.sorted().prefix(10).joined(separator: ", ")
    let rest = passedOver.count > 10 ? " and \(passedOver.count - 10) more" : ""
    printError("signalbox: skipped lines of other signals: \(names)\(rest)")
  }
}
