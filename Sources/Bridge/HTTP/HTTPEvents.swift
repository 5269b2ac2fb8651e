internal import ClientCore
internal import JSON
internal import Linux

/// A source that follows a stream of Server-Sent Events, and resumes it behind the last event that the daemon has.
///
/// At most `window` events wait for the daemon; then the stream is not read until half of them are answered.
final class HTTPEvents: HTTPSource {
  let connection: String
  private let run: SignalRun
  private let declaration: SignalDeclaration
  private var place: HTTPConnection
  private let session: DaemonSession
  private let loop: EventLoop
  private let log: Log
  private var timer: LoopTimer?
  private var transfer: HTTPTransfer?
  private var parser: ServerSentEventParser
  /// The bytes behind the event at which the window was full.
  private var rest: [UInt8] = []
  private var unanswered = 0
  private var isPaused = false
  /// True once a stream has opened: the failure of an earlier run is over.
  private var isKnownToWork = false
  /// True once the present stream has brought anything.
  private var hasDelivered = false
  private var isStopped = false
  /// The number of streams so far, so that an answer counts for its own.
  private var streams = 0
  /// The position that the daemon has.
  private var committed: String
  private var backoff = Backoff(.milliseconds(500)...(.seconds(60)))
  private var refusals = RefusalLog()
  /// True if the next stream is due, and only waits for the answers to events of the one before.
  private var opensWhenAnswered = false
  private var failure: TaskFailure?
  private var after: Double?

  private static let window = 64
  /// The milliseconds that a server may ask for between two streams.
  private static let retryBounds = 10...3_600_000

  init(_ declaration: SignalDeclaration, _ place: HTTPConnection, _ session: DaemonSession, loop: EventLoop, log: Log) {
    self.declaration = declaration
    self.place = place
    self.session = session
    self.loop = loop
    self.log = log
    run = declaration.run
    connection = declaration.connection
    committed = declaration.position ?? ""
    parser = ServerSentEventParser(limit: place.settings.limit)
  }

  func start() {
    timer = try? loop.addTimer { [unowned self] in open() }
    open()
  }

  func stop() {
    isStopped = true
    timer = nil
    // It may be called from within the library.
    let transfer = transfer.take()
    loop.post { transfer?.cancel() }
  }

  func resume() { proceed() }

  func move(to place: HTTPConnection) -> Bool {
    self.place = place
    if isStopped { return false }
    rest = []
    let transfer = transfer.take()
    loop.post { transfer?.cancel() }
    // It opens once the daemon has answered the events under way.
    try? timer?.set(.now())
    return true
  }

  // MARK: The stream

  private func open() {
    guard !isStopped, transfer == nil else { return }
    if isUnfinished {
      opensWhenAnswered = true
      return
    }
    opensWhenAnswered = false
    parser = ServerSentEventParser(lastID: committed, limit: place.settings.limit)
    (rest, unanswered, isPaused, hasDelivered, failure, after) = ([], 0, false, false, nil, nil)
    streams += 1
    do throws(TaskFailure) {
      transfer = place.open(try request())
    } catch { return fail(error) }
    transfer?.opened = { [weak self] head in self?.take(head) ?? .stop }
    transfer?.received = { [weak self] bytes in self?.take(bytes) ?? .stop }
    transfer?.ended = { [weak self] failure in self?.end(failure) }
  }

  private func request() throws(TaskFailure) -> TransferRequest {
    var request = try HTTPRequests.request(declaration.settings, place.settings)
    var headers = HTTPHeaders(request.headers)
    try headers.add("Accept", "text/event-stream")
    try headers.add("Cache-Control", "no-store")
    if !committed.isEmpty { try headers.set("Last-Event-ID", committed) }
    request.headers = headers.fields
    request.isStream = true
    request.timeout = nil
    return request
  }

  private func take(_ head: TransferHead) -> HTTPTransfer.Flow {
    place.noteAnswer()
    let type = head.header("content-type")?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
    if head.status == 204 { return .next }
    guard head.status == 200 else {
      failure = HTTPAnswers.failure(head)
      after = failure?.after
      return .stop
    }
    guard type == "text/event-stream" else {
      failure = TaskFailure(
        "http", "the answer is \(type.isEmpty ? "of no type" : String(type).visible), no event stream")
      return .stop
    }
    if !isKnownToWork { session.reportWorking(run) }
    isKnownToWork = true
    return .next
  }

  private func take(_ bytes: Span<UInt8>) -> HTTPTransfer.Flow {
    guard !isStopped else { return .stop }
    guard !isFull else {
      isPaused = true
      return .pause
    }
    return parse(bytes) ? .next : .stop
  }

  /// Indicates that the daemon has to answer first.
  private var isFull: Bool { unanswered >= Self.window || !rest.isEmpty || session.isCongested }

  /// Indicates events that the daemon has not answered yet: another stream would bring them again.
  private var isUnfinished: Bool { unanswered > 0 || !rest.isEmpty }

  /// Sends the events in bytes, until the window is full; returns `false` where the stream is of no more use.
  private func parse(_ bytes: Span<UInt8>) -> Bool {
    backoff.reset()
    hasDelivered = true
    let progress = parser.append(bytes) { event in
      send(event)
      return unanswered < Self.window ? .next : .pause
    }
    guard case .consumed(let end) = progress else {
      failure = TaskFailure("too_large", "an event is longer than \(place.settings.limit) bytes")
      return false
    }
    rest = end == bytes.count ? [] : bytes.bytes(from: end)
    return !isStopped
  }

  private func proceed() {
    guard !isStopped, transfer != nil || !rest.isEmpty, unanswered <= Self.window / 2, !session.isCongested
    else { return }
    if !rest.isEmpty {
      let bytes = rest
      rest = []
      if !parse(bytes.span) {
        if isStopped { return }
        transfer.take()?.cancel()
        return conclude()
      }
      if !rest.isEmpty { return }
    }
    guard isPaused else { return }
    isPaused = false
    transfer?.resume()
  }

  private func send(_ event: ServerSentEvent) {
    unanswered += 1
    var details = JSONObject()
    if event.name != "message" { details["event"] = .string(event.name) }
    if !event.lastID.isEmpty { details["id"] = .string(event.lastID) }
    let position = event.lastID.isEmpty ? nil : event.lastID
    let value = SourceValue(
      .text(event.data), position: position, details: details.isEmpty ? nil : details)
    let stream = streams
    session.send(run, value) { [weak self] result in
      guard let self, stream == streams else { return }
      take(result, position)
    }
  }

  private func take(_ result: DaemonSession.SendResult, _ position: String?) {
    unanswered -= 1
    switch result {
    case .committed:
      committed = position ?? committed
      refusals.clear()
    case .dropped(let reason):
      committed = position ?? committed
      log.warning("an event for \(run.signal) is no value of it: \(reason)")
    case .ended: return stop()
    case .refused(let reason):
      refusals.note(reason, of: run, log)
      // The events behind it are of no use, and come again.
      streams += 1
      (unanswered, rest) = (0, [])
      let transfer = transfer.take()
      loop.post { transfer?.cancel() }
      return reopen()
    }
    proceed()
    guard transfer == nil, !isUnfinished else { return }
    // An id without an event counts as well.
    committed = parser.lastID
    if opensWhenAnswered { open() }
  }

  // MARK: Its end

  private func end(_ ended: TransferFailure?) {
    guard !isStopped, let transfer = transfer.take() else { return }
    if let ended, ended.kind != .stopped {
      failure = HTTPAnswers.failure(ended, place.settings)
      place.note(transfer, ended)
    }
    if transfer.head?.status == 204 {
      isStopped = true
      return session.complete(run)
    }
    conclude()
  }

  /// Fails the signal, or opens the stream once more.
  private func conclude() {
    if let failure, !failure.isTemporary { return fail(failure) }
    if let failure { place.state.away(failure.message) }
    if !isUnfinished { committed = parser.lastID }
    reopen()
  }

  private func fail(_ failure: TaskFailure) {
    isStopped = true
    timer = nil
    session.fail(run, failure)
  }

  /// Opens the stream once more, after the time that the server asks for.
  private func reopen() {
    let bounds = Self.retryBounds
    let asked = parser.retry.map { Duration.milliseconds(min(max($0, bounds.lowerBound), bounds.upperBound)) }
    // A server whose stream was of use knows best.
    let pause = hasDelivered && asked != nil ? .zero : backoff.pause()
    try? timer?.set(.now() + max(pause, asked ?? .zero, .seconds(after ?? 0)))
  }
}

extension Span<UInt8> {
  fileprivate func bytes(from start: Int) -> [UInt8] { (start..<count).map { self[$0] } }
}
