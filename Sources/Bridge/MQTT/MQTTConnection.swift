internal import Base
internal import ClientCore
internal import JSON
internal import Linux

/// A connection to an MQTT broker, with the sources and the messages that go over it; it reconnects by itself.
///
/// While its inbox is full, nothing is read. What is acknowledged to the broker waits for the daemon's answers to all messages
/// before it.
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
  private let inbox: MQTTInbox
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
  private var abandoned: Set<ExactText> = []
  private var requests: [Int32: String] = [:]
  private var isStopping = false
  private var logsUnknown = true
  private let announcer: MQTTAnnouncer

  /// The pauses between two attempts to connect.
  static var backoff: Backoff { Backoff(.milliseconds(500)...(.seconds(60))) }

  /// The time after which an unanswered subscription is looked at again.
  private static let outboundPause = Duration.milliseconds(50)

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
    inbox = try MQTTInbox(window: settings.window, loop: loop, log: log)
    publications = MQTTPublications(client)
    announcer = MQTTAnnouncer(settings, client)
    client.connected = { [unowned self] in begin(hasSession: $0) }
    client.lost = { [unowned self] in lose($0) }
    client.received = { [unowned self] in take($0) }
    client.published = { [unowned self] in finish($0, $1) }
    client.subscribed = { [unowned self] in note($0, $1) }
    client.isHeldUp = { [unowned self] in inbox.isHolding && client.isConnected }
    client.isPaused = { [unowned self] in isPaused }
    timer = try loop.addTimer { [unowned self] in connect() }
    outboundTimer = try loop.addTimer { [unowned self] in beginOutbound() }
    inbox.caughtUp = { [unowned self] in client.resume() }
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
    inbox.close()
    client.close()
    outbound?.close()
  }

  /// Ends it so that the broker keeps no session, and nothing of its entities without a successor at that broker.
  func retire(for successor: MQTTConnection?, done: @escaping () -> Void) {
    let keepsSession = successor.map { settings.hasSession(of: $0.settings) } ?? false
    guard !keepsSession, client.isConnected, !PrivateRun.isPresent else {
      close()
      return done()
    }
    let isElsewhere = successor.map { !$0.settings.hasBroker(of: settings) } ?? true
    let topics = isElsewhere ? announcer.topics.sorted().map(\.text) : []
    (isStopping, timer, outboundTimer) = (true, nil, nil)
    inbox.close()
    outbound?.close()
    client.retire(after: topics.map { .forgetting($0) }, done: done)
  }

  private func begin(hasSession: Bool) {
    inbox.forget()
    backoff.reset()
    requests = [:]
    for entry in subscriptions.entries.values {
      subscribe(entry, isKnown: hasSession && isPersistent && entry.sources.allSatisfy(\.knowsRetained))
    }
    failure = nil
    noteState()
    announcer.begin(hasStates: outbound == nil)
    beginOutbound()
  }

  private func lose(_ reason: String) {
    inbox.forget()
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

  private var isPaused: Bool {
    guard session != nil, !isStopping else { return true }
    return client.isConnected && inbox.isFull
  }

  // MARK: The daemon

  func attach(_ session: DaemonSession) {
    self.session = session
    inbox.attach(session)
    publications.attach(session)
    outbound?.publications.attach(session)
    state.changed = { [unowned self] reason in session.report(declaration.name, away: reason) }
  }

  func detach() {
    session = nil
    state.changed = { _ in }
    subscriptions.removeAll()
    inbox.detach()
    publications.detach()
    outbound?.publications.detach()
    guard inbox.count > 0 else { return }
    // The library would acknowledge what no daemon has.
    inbox.forget()
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
    if let filter = subscriptions.remove(run) { abandoned.insert(ExactText(filter)) }
  }

  func note(_ declarations: [SignalDeclaration]) {
    if client.isConnected {
      abandoned.filter { subscriptions.entries[$0] == nil }.map(\.text).forEach(client.unsubscribe)
    }
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
      outbound.presentStates = { [unowned self] in announcer.presentStates }
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
    guard let filter = requests.removeValue(forKey: number), let entry = subscriptions.entries[ExactText(filter)] else {
      return
    }
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
    inbox.take(message, for: sources)
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

  func giveBack() { for publications in allPublications { publications.giveBack() } }

  func cancel(_ task: Int) { for publications in allPublications { publications.cancel(task) } }

  private func finish(_ number: Int32, _ refusal: Int32?) {
    if !announcer.finish(number) { publications.finish(number, refusal) }
  }
}
