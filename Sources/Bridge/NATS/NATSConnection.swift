internal import Base
internal import CNATS
internal import ClientCore
internal import JSON
internal import Linux

/// A connection to NATS servers, with the sources and the messages that go over it; it reconnects by itself.
///
/// At most `window` messages wait for the daemon; then the library's threads wait, and nothing more is fetched from
/// streams.
final class NATSConnection: BrokerConnection {
  let declaration: ConnectionDeclaration
  let isPersistent: Bool
  let state: ConnectionState
  private let settings: NATSSettings
  private let loop: EventLoop
  private let log: Log
  private let inbox: NATSInbox
  private var events: EventSource?
  private var timer: LoopTimer?
  private var refusedTimer: LoopTimer?
  private var droppedTimer: LoopTimer?
  private var backoff = Backoff(.milliseconds(500)...(.seconds(60)))
  private var connecting: BackgroundCall<Result<NATSLink, TaskFailure>>?
  private var link: NATSLink?
  private var publisher: NATSPublisher?
  private var session: DaemonSession?
  private var sources: [Int: NATSSource] = [:]
  private var lastSource = 0
  private var tasks = PublicationTasks()
  private var lastPublication = 0
  /// The messages that the daemon has not answered, by their numbers here.
  private var unanswered: [Int: NATSMessage] = [:]
  private var lastMessage = 0
  /// The messages that the daemon has refused for now, and those behind them.
  private var refused = FirstInFirstOut<RefusedMessage>()
  private var isClosed = false
  private var isStopping = false

  /// The time after which a refused message is sent again.
  private static let pause = Duration.seconds(1)

  private final class RefusedMessage {
    let source: NATSSource
    let message: NATSMessage
    /// True once it comes again by itself, or nothing takes it.
    var isOver = false

    init(_ source: NATSSource, _ message: NATSMessage) { (self.source, self.message) = (source, message) }
  }

  init(_ declaration: ConnectionDeclaration, isPersistent: Bool, loop: EventLoop, poller: Poller, log: Log) throws {
    self.declaration = declaration
    self.isPersistent = isPersistent
    self.loop = loop
    self.log = log
    settings = try NATSSettings(declaration)
    state = ConnectionState(declaration.name, log: log)
    inbox = try NATSInbox(mostMessages: settings.window)
    events = try loop.addInput(inbox.number) { [unowned self] in takeEvents() }
    timer = try loop.addTimer { [unowned self] in connect() }
    refusedTimer = try loop.addTimer { [unowned self] in sendAgain() }
    droppedTimer = try loop.addTimer { [unowned self] in countDropped() }
  }

  // MARK: The servers

  func connect() {
    guard connecting == nil, link == nil, !isClosed, !isStopping, session != nil else { return }
    let (settings, inbox) = (settings, inbox)
    connecting = BackgroundCall(loop: loop, name: "nats-connect") {
      do throws(TaskFailure) { return .success(try NATSLink(settings, inbox)) } catch { return .failure(error) }
    } done: { [self] result in
      connecting = nil
      begin(result)
    }
    if connecting == nil { begin(.failure(.noThread)) }
  }

  private func begin(_ result: Result<NATSLink, TaskFailure>) {
    if isClosed { return }
    switch result {
    case .success(let link):
      self.link = link
      // A server may have ended it before there was a link to end.
      if link.isClosed { return reconnect() }
      publisher = try? NATSPublisher(link, inbox)
      guard publisher != nil else {
        disconnect()
        return begin(.failure(.noThread))
      }
      backoff.reset()
      state.connected()
      for source in sources.values { begin(source) }
    case .failure(let failure):
      state.away(settings.redacted(failure.message))
      try? timer?.set(.now() + backoff.pause())
    }
  }

  /// Connects again once the daemon knows what has failed: it then gives that before anything newer.
  private func reconnect() {
    guard link?.isClosed == true, !isClosed else { return }
    disconnect()
    fail(TaskFailure("connect", "the servers have closed the connection", isTemporary: true))
    session?.settle { [weak self] in
      guard let self else { return }
      try? timer?.set(.now() + backoff.pause())
    }
  }

  /// Releases the connection and everything that uses it.
  private func disconnect() {
    publisher?.close()
    publisher = nil
    for source in sources.values { source.end() }
    // The library may wait for its threads.
    if let link = link.take() { _ = try? Thread("nats-close") { withExtendedLifetime(link) {} } }
  }

  func close() {
    isClosed = true
    events = nil
    timer = nil
    refusedTimer = nil
    droppedTimer = nil
    inbox.close()
    disconnect()
    sources = [:]
  }

  private func takeEvents() {
    for event in inbox.take() {
      switch event {
      case .lost(let reason): state.away(settings.redacted(reason))
      case .closed: reconnect()
      case .dropping: try? droppedTimer?.set(.now() + .seconds(1))
      case .note(let text): log.warning("\(settings.redacted(text))", ("connection", declaration.name))
      case .message(let number, let message): take(message, sources[number])
      case .failed(let number, let reason):
        guard let source = sources[number] else { continue }
        source.isKnownToWork = false
        session?.fail(source.run, TaskFailure("nats", reason))
      case .reading(let number, let reader, let created, let isAnother):
        guard let source = sources[number], source.isCurrent(reader) else { continue }
        begin(source, created, isAnother)
      case .interrupted(let number):
        if let source = sources[number] { begin(source) }
      case .done(let publication, let failure):
        if let task = tasks.finish(publication, isTaken: failure == nil) {
          session?.acknowledge(task, failure.map { .failed($0) } ?? .done(nil))
        }
      }
    }
  }

  // MARK: The daemon

  func attach(_ session: DaemonSession) {
    self.session = session
    state.changed = { [unowned self] reason in session.report(declaration.name, away: reason) }
  }

  func detach() {
    session = nil
    state.changed = { _ in }
    for source in sources.values { source.end() }
    sources = [:]
    tasks.detach()
    dropRefused { _ in true }
    for message in unanswered.values { finish(message, isTaken: false) }
    unanswered = [:]
  }

  func resume() {}
  func stop() { isStopping = true }
  var running: Int { tasks.count }

  // MARK: Sources

  func add(_ declaration: SignalDeclaration) throws(TaskFailure) {
    lastSource += 1
    let source = try NATSSource(declaration, number: lastSource)
    sources[lastSource] = source
    begin(source)
  }

  private func begin(_ source: NATSSource) {
    guard let link else { return }
    // A reader brings them again.
    if source.stream != nil { dropRefused { $0 === source } }
    do throws(TaskFailure) { try source.begin(link, inbox, window: settings.window) } catch {
      session?.fail(source.run, error)
    }
  }

  func position(of run: SignalRun) -> String? {
    sources.values.first { $0.run == run }?.progress.position?.text
  }

  /// Notes that a source reads its stream.
  private func begin(_ source: NATSSource, _ created: Int64?, _ isAnother: Bool) {
    if isAnother, let stream = source.stream {
      log.warning(
        "the stream \(stream) was made again: \(source.run.signal) reads it from its first message",
        ("connection", declaration.name))
    }
    source.progress.begin(created: created, isAnother: isAnother)
    if !source.isKnownToWork { session?.reportWorking(source.run) }
    source.isKnownToWork = true
  }

  func remove(_ run: SignalRun) {
    for (number, source) in sources where source.run == run {
      dropRefused { $0 === source }
      source.end()
      sources[number] = nil
    }
  }

  private func take(_ message: NATSMessage, _ source: NATSSource?) {
    guard let source, session != nil else { return finish(message, isTaken: false) }
    if let place = message.stream {
      guard source.isCurrent(place.reader) else { return finish(message, isTaken: false) }
      guard source.progress.arrive(place.number) else { return finish(message, isTaken: true) }
    }
    guard message.payload.count <= settings.limit else {
      log.warning("dropped a message of \(message.payload.count) bytes (limit)", ("connection", declaration.name))
      return settle(source, message)
    }
    if refused.isEmpty { send(source, message) } else { refused.append(RefusedMessage(source, message)) }
  }

  /// Logs what the library has dropped, once a second for as long as it goes on.
  private func countDropped() {
    for source in sources.values {
      let count = source.takeDropped()
      guard count > 0 else { continue }
      log.warning(
        "dropped \(count) messages for \(source.run.signal): more than 65,536 waited for the daemon",
        ("connection", declaration.name))
      try? droppedTimer?.set(.now() + .seconds(1))
    }
  }

  private func send(_ source: NATSSource, _ message: NATSMessage) {
    guard let session else { return finish(message, isTaken: false) }
    lastMessage += 1
    let number = lastMessage
    unanswered[number] = message
    session.send(source.run, source.value(of: message)) { [weak self] result in
      guard let self, unanswered.removeValue(forKey: number) != nil else { return }
      if case .refused(let reason) = result { return wait(source, message, reason) }
      settle(source, message, result)
    }
  }

  /// Notes that the daemon needs a message no more, or has refused it for good.
  private func settle(
    _ source: NATSSource, _ message: NATSMessage, _ result: DaemonSession.SendResult = .committed
  ) {
    switch result {
    // It is for the next run of the source.
    case .ended: return finish(message, isTaken: false)
    case .dropped(let reason): log.warning("dropped a message for \(source.run.signal): \(reason)")
    case .committed, .refused: break
    }
    source.refusals.clear()
    if let place = message.stream { source.progress.take(place.number, created: place.created) }
    finish(message, isTaken: true)
  }

  /// Acknowledges a message to its stream, and makes room for another.
  private func finish(_ message: NATSMessage, isTaken: Bool) {
    if isTaken, let place = message.stream { link?.acknowledge(place) }
    inbox.release(1)
  }

  private func wait(_ source: NATSSource, _ message: NATSMessage, _ reason: String) {
    // The next reader brings it again.
    if let place = message.stream, !source.isCurrent(place.reader) { return finish(message, isTaken: false) }
    source.refusals.note(reason, of: source.run, log)
    if refused.isEmpty { try? refusedTimer?.set(.now() + Self.pause) }
    refused.append(RefusedMessage(source, message))
  }

  /// Sends the first refused message again, and those behind it only once the daemon has taken it.
  ///
  /// Sent together, they could be taken where the first one is refused once more.
  private func sendAgain() {
    guard let session, let first = refused.first else { return }
    session.send(first.source.run, first.source.value(of: first.message)) { [weak self] result in
      guard let self else { return }
      if case .refused(let reason) = result {
        if !first.isOver { first.source.refusals.note(reason, of: first.source.run, log) }
        try? refusedTimer?.set(.now() + Self.pause)
        return
      }
      if !first.isOver {
        _ = refused.popFirst()
        settle(first.source, first.message, result)
      }
      let waiting = refused
      refused = FirstInFirstOut()
      for waiting in waiting.all { send(waiting.source, waiting.message) }
    }
  }

  /// Drops the refused messages of some sources, which are not acknowledged.
  private func dropRefused(of isDropped: (NATSSource) -> Bool) {
    for waiting in refused.all where isDropped(waiting.source) {
      waiting.isOver = true
      finish(waiting.message, isTaken: false)
    }
    refused.removeAll { $0.isOver }
  }

  // MARK: Messages

  func perform(_ task: AdapterTask) {
    switch tasks.adopt(task) {
    case .done: return session?.acknowledge(task.number, .done(nil)) ?? ()
    case .underWay: return
    case .none: break
    }
    do throws(TaskFailure) {
      guard let publisher else { throw TaskFailure("connect", "the servers are away", isTemporary: true) }
      let message = try NATSPublisher.Message(task, number: lastPublication + 1)
      lastPublication += 1
      tasks.add(lastPublication, task, isBrief: true)
      publisher.add(message)
    } catch {
      session?.acknowledge(task.number, .failed(error))
    }
  }

  func cancel(_ task: Int) { tasks.cancel(task) }

  func giveBack() { fail(.replaced) }

  /// Fails all tasks.
  private func fail(_ failure: TaskFailure) {
    for task in tasks.removeAll() { session?.acknowledge(task, .failed(failure)) }
  }
}
