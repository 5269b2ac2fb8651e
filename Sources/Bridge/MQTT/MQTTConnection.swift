internal import Base
internal import ClientCore
internal import JSON
internal import Linux

/// A connection to an MQTT broker, with the sources and the messages that go over it; it reconnects by itself.
///
/// At most `window` messages wait for the daemon; then nothing is read. What is acknowledged to the broker waits for the
/// daemon's answers to all messages before it.
final class MQTTConnection: BrokerConnection {
  let declaration: ConnectionDeclaration
  /// True if the broker keeps a session, for durable graphs.
  let isPersistent: Bool
  let settings: MQTTSettings
  let state: ConnectionState
  private let loop: EventLoop
  private let log: Log
  private let poller: Poller
  private let client: MQTTClient
  private let publications: MQTTPublications
  private var outbound: MQTTOutbound?
  private var timer: LoopTimer?
  private var outboundTimer: LoopTimer?
  private var backoff = MQTTConnection.backoff
  /// The reason of the last failure; `nil` while the client is connected.
  private var failure: String?
  private var session: DaemonSession?
  private var subscriptions = MQTTSubscriptions()
  /// The filters of removed sources, unless others have them by the end of a change.
  private var abandoned: Set<String> = []
  private var requests: [Int32: String] = [:]
  /// Counts the connections, so that an answer of the daemon counts for its own.
  private var epoch = 0
  /// The values that the daemon has not answered.
  private var unanswered = 0
  /// Those whose messages are acknowledged to the broker.
  private var unacknowledged = 0
  /// The time since which something has to be acknowledged.
  private var heldSince: MonotonicInstant?
  /// The values that the daemon has refused for now, and those behind them.
  private var refused = FirstInFirstOut<(MQTTSource, MQTTMessage)>()
  private var refusedTimer: LoopTimer?
  private var isStopping = false
  private var logsUnknown = true
  private let announcer: MQTTAnnouncer

  /// The pauses between two attempts to connect.
  static var backoff: Backoff { Backoff(.milliseconds(500)...(.seconds(60))) }

  /// The time after which a refused message is sent again.
  private static let refusedPause = Duration.seconds(1)
  /// The time after which an unanswered subscription is looked at again.
  private static let outboundPause = Duration.milliseconds(50)
  /// The longest time that messages are read on while others have to be acknowledged.
  private static let longestHold = Duration.milliseconds(20)

  init(_ declaration: ConnectionDeclaration, isPersistent: Bool, loop: EventLoop, poller: Poller, log: Log) throws {
    self.declaration = declaration
    // Nothing comes back for what a broker would keep for a private run.
    let isPersistent = isPersistent && !PrivateRun.isPresent
    self.isPersistent = isPersistent
    self.loop = loop
    self.poller = poller
    self.log = log
    settings = try MQTTSettings(declaration)
    state = ConnectionState(declaration.name, log: log)
    client = try MQTTClient(settings, isPersistent: isPersistent, loop: loop, poller: poller)
    publications = MQTTPublications(client)
    announcer = MQTTAnnouncer(settings, client)
    client.connected = { [unowned self] in begin(hasSession: $0) }
    client.lost = { [unowned self] in lose($0) }
    client.received = { [unowned self] in take($0) }
    client.published = { [unowned self] in finish($0, $1) }
    client.subscribed = { [unowned self] in note($0, $1) }
    client.isHeldUp = { [unowned self] in unacknowledged > 0 && client.isConnected }
    client.isPaused = { [unowned self] in isPaused }
    timer = try loop.addTimer { [unowned self] in connect() }
    outboundTimer = try loop.addTimer { [unowned self] in beginOutbound() }
    refusedTimer = try loop.addTimer { [unowned self] in sendAgain() }
  }

  // MARK: The broker

  func connect() {
    guard !isStopping, session != nil else { return }
    client.connect(isPersistent: isPersistent)
    beginOutbound()
  }

  /// Ends it for good, so that the broker publishes the will.
  func close() {
    isStopping = true
    timer = nil
    outboundTimer = nil
    refusedTimer = nil
    client.close()
    outbound?.close()
  }

  private func begin(hasSession: Bool) {
    forgetUnanswered()
    backoff.reset()
    requests = [:]
    for entry in subscriptions.entries.values {
      subscribe(entry, isKnown: hasSession && isPersistent && entry.sources.allSatisfy(\.knowsRetained))
    }
    failure = nil
    noteState()
    announcer.begin()
    beginOutbound()
  }

  private func lose(_ reason: String) {
    forgetUnanswered()
    failure = settings.redacted(reason)
    noteState()
    publications.lose()
    outbound?.publications.loseHeld()
    try? timer?.set(.now() + backoff.pause())
  }

  /// It is there once both clients are.
  private func noteState() {
    if let reason = failure ?? outbound?.failure { return state.away(reason) }
    if client.isConnected, outbound?.isConnected ?? true { state.connected() }
  }

  /// Forgets the values under way: the broker sends again those that it has no acknowledgement of.
  private func forgetUnanswered() {
    epoch += 1
    (unanswered, unacknowledged, heldSince) = (0, 0, nil)
    refused = FirstInFirstOut()
  }

  private var isPaused: Bool {
    guard let session, !isStopping else { return true }
    if !client.isConnected { return false }
    if unanswered >= settings.window || session.isCongested || !refused.isEmpty { return true }
    return heldSince.map { .now() - $0 > Self.longestHold } ?? false
  }

  // MARK: The daemon

  func attach(_ session: DaemonSession) {
    self.session = session
    publications.attach(session)
    outbound?.publications.attach(session)
    state.changed = { [unowned self] reason in session.report(declaration.name, away: reason) }
  }

  func detach() {
    session = nil
    state.changed = { _ in }
    subscriptions.removeAll()
    publications.detach()
    outbound?.publications.detach()
    guard unanswered > 0 else { return }
    // The library would acknowledge what no daemon has.
    forgetUnanswered()
    client.interrupt()
    state.away("the daemon was gone")
  }

  /// Resumes reading once the daemon has caught up.
  func resume() { client.resume() }

  func stop() { isStopping = true }

  /// Takes over what the broker knows of the entities of a connection that had other settings.
  func replace(_ former: MQTTConnection) { announcer.replace(former.announcer) }

  // MARK: Sources

  func add(_ declaration: SignalDeclaration) throws(TaskFailure) { add(try MQTTSource(declaration)) }

  private func add(_ source: MQTTSource) {
    guard let entry = subscriptions.add(source), client.isConnected else { return }
    subscribe(entry, isKnown: false)
  }

  func remove(_ run: SignalRun) {
    if let filter = subscriptions.remove(run) { abandoned.insert(filter) }
  }

  func note(_ declarations: [SignalDeclaration]) {
    if client.isConnected { abandoned.filter { subscriptions.entries[$0] == nil }.forEach(client.unsubscribe) }
    abandoned = []
    announcer.note(declarations)
    apply(announcer.commands)
    if outbound == nil, !subscriptions.entries.isEmpty, declarations.contains(where: { $0.role == .sink }) {
      addOutbound()
    }
  }

  private func addOutbound() {
    do {
      let outbound = try MQTTOutbound(settings, loop: loop, poller: poller)
      outbound.changed = { [unowned self] in noteState() }
      outbound.isDue = { [unowned self] in beginOutbound() }
      if let session { outbound.publications.attach(session) }
      self.outbound = outbound
      beginOutbound()
    } catch { state.away("no second client can be made: \(error)") }
  }

  /// Lets the second client begin once the subscriptions are answered: the broker has no message for one it does not know.
  ///
  /// An answer may be behind messages that wait for the daemon, and these for what is published: it is not awaited then.
  private func beginOutbound() {
    guard let outbound, client.isConnected, session != nil, !isStopping else { return }
    if requests.isEmpty || isPaused { return outbound.begin() }
    try? outboundTimer?.set(.now() + Self.outboundPause)
  }

  /// Subscribes to the topics of commands that are new, and no more to those that are gone.
  private func apply(_ commands: [MQTTCommand]) {
    let former = subscriptions.sources.compactMap(\.command)
    for command in former where !commands.contains(command) {
      if let filter = subscriptions.remove(command), client.isConnected { client.unsubscribe(filter) }
    }
    for command in commands where !former.contains(command) { add(MQTTSource(command)) }
  }

  private func subscribe(_ entry: MQTTSubscriptions.Entry, isKnown: Bool) {
    let number = client.subscribe(
      entry.filter, qos: entry.qos, identifier: entry.identifier, isKnown: isKnown,
      tellsRetained: entry.sources.allSatisfy(\.holdsRetained))
    entry.isAsked = number != nil
    if let number { requests[number] = entry.filter } else { refuse(entry, "the library takes no such topic") }
  }

  private func note(_ number: Int32, _ refusal: Int32?) {
    defer { if requests.isEmpty { beginOutbound() } }
    guard let filter = requests.removeValue(forKey: number), let entry = subscriptions.entries[filter] else { return }
    entry.isAsked = requests.values.contains(filter)
    guard let refusal else {
      for source in entry.sources {
        source.knowsRetained = true
        if source.command == nil, !source.isKnownToWork { session?.reportWorking(source.run) }
        source.isKnownToWork = true
      }
      return
    }
    refuse(entry, "the broker refuses the topic: \(MQTTLibrary.text(ofReason: refusal, isVersion5: true))")
  }

  private func refuse(_ entry: MQTTSubscriptions.Entry, _ reason: String) {
    for source in entry.sources {
      source.isKnownToWork = false
      if source.command == nil {
        session?.fail(source.run, TaskFailure("mqtt", reason))
      } else {
        log.error("\(source.run.signal) cannot be operated over \(entry.filter): \(reason)")
      }
    }
  }

  private func take(_ message: MQTTMessage) {
    if announcer.take(message) { return }
    guard message.payload.count <= settings.limit else {
      log.warning("dropped a message of \(message.payload.count) bytes (limit)", ("connection", declaration.name))
      return
    }
    let sources = subscriptions.sources(for: message)
    if sources.isEmpty, logsUnknown {
      logsUnknown = false
      log.notice("messages come that no signal asks for, as on \(message.topic)", ("connection", declaration.name))
    }
    for source in sources {
      note(beginning: message)
      if refused.isEmpty { send(source, message) } else { refused.append((source, message)) }
    }
  }

  private func note(beginning message: MQTTMessage) {
    unanswered += 1
    if message.qos == 0 { return }
    unacknowledged += 1
    if heldSince == nil { heldSince = .now() }
  }

  private func send(_ source: MQTTSource, _ message: MQTTMessage) {
    if let command = source.command { return send(command, message) }
    send(source, message) { [unowned self] reason in
      if refused.isEmpty { try? refusedTimer?.set(.now() + Self.refusedPause) }
      refused.append((source, message))
      source.refusals.note(reason, of: source.run, log)
    } taken: { [unowned self] in
      noteEnd(of: message)
    }
  }

  private func send(
    _ source: MQTTSource, _ message: MQTTMessage, refused: @escaping (String) -> Void, taken: @escaping () -> Void
  ) {
    let epoch = epoch
    session?.send(source.run, source.value(of: message)) { [weak self] result in
      guard let self, epoch == self.epoch else { return }
      if case .refused(let reason) = result { return refused(reason) }
      source.refusals.clear()
      if case .dropped(let reason) = result {
        log.warning("dropped a message for \(source.run.signal): \(reason)")
      }
      taken()
    }
  }

  /// Sends what a command says to its input, or calls its action, as any client does.
  ///
  /// A retained one was not given now. A call may take any time, so its command is acknowledged at once.
  private func send(_ command: MQTTCommand, _ message: MQTTMessage) {
    guard !message.isRetained, let value = command.value(of: message.payload) else {
      let reason = message.isRetained ? "it is retained" : "its payload is no value of the entity"
      log.warning("a command on \(message.topic) is dropped: \(reason)")
      return noteEnd(of: message)
    }
    let report = { [log] (refusal: String?) in
      if let refusal { log.warning("a command for \(command.target) is refused: \(refusal)") }
    }
    if command.isCall {
      session?.call(command.target, value, then: report)
      return noteEnd(of: message)
    }
    let epoch = epoch
    session?.send(value, to: command.target) { [weak self] refusal in
      guard let self, epoch == self.epoch else { return }
      report(refusal)
      noteEnd(of: message)
    }
  }

  private func noteEnd(of message: MQTTMessage) {
    unanswered -= 1
    if message.qos > 0 { unacknowledged -= 1 }
    let wasHeld = heldSince != nil
    if unacknowledged == 0 { heldSince = nil }
    if wasHeld && heldSince == nil || unanswered == settings.window / 2 { client.resume() }
  }

  /// Sends the first refused message again, and those behind it only once the daemon has taken it.
  ///
  /// Sent together, they could be taken where the first one is refused once more.
  private func sendAgain() {
    guard let (source, message) = refused.first else { return }
    if source.command != nil { return sendAll() }
    send(source, message) { [unowned self] reason in
      source.refusals.note(reason, of: source.run, log)
      try? refusedTimer?.set(.now() + Self.refusedPause)
    } taken: { [unowned self] in
      _ = refused.popFirst()
      noteEnd(of: message)
      sendAll()
    }
  }

  private func sendAll() {
    let waiting = refused
    refused = FirstInFirstOut()
    for (source, message) in waiting.all { send(source, message) }
    client.resume()
  }

  // MARK: Messages

  private var allPublications: [MQTTPublications] { [publications] + (outbound.map { [$0.publications] } ?? []) }

  var running: Int { allPublications.reduce(0) { $0 + $1.count } }

  func perform(_ task: AdapterTask) {
    for publications in allPublications {
      switch publications.adopt(task) {
      case .done: return session?.acknowledge(task.number, .done(nil)) ?? ()
      case .underWay: return
      case .none: break
      }
    }
    do throws(TaskFailure) {
      let message = try MQTTMessage(request: task.request)
      if settings.isReserved(message.topic) { return session?.acknowledge(task.number, .done(nil)) ?? () }
      try publish(message, for: task)
      announcer.note(message)
    } catch {
      session?.acknowledge(task.number, .failed(error))
    }
  }

  private func publish(_ message: MQTTMessage, for task: AdapterTask) throws(TaskFailure) {
    guard let outbound else { return try publications.publish(message, for: task) }
    guard client.isConnected else { throw TaskFailure("connect", "the broker is away", isTemporary: true) }
    try outbound.publications.hold(message, for: task)
    beginOutbound()
  }

  func cancel(_ task: Int) { for publications in allPublications { publications.cancel(task) } }

  private func finish(_ number: Int32, _ refusal: Int32?) {
    if !announcer.finish(number) { publications.finish(number, refusal) }
  }
}
