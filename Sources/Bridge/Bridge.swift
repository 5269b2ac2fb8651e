internal import ClientCore
internal import Linux
internal import WireProtocol

/// The bridge: an adapter of the daemon for all kinds that it knows.
///
/// It attaches, starts what the daemon declares, and does so again after each reconnect.
final class Bridge {
  /// Called once when the daemon has taken it.
  var ready: () -> Void = {}

  private let settings: BridgeSettings
  private let loop: EventLoop
  private let poller: Poller
  private let attachment: PollerAttachment
  private let log: Log
  private let kinds: [any AdapterKind]
  /// The kind of each connection.
  private var kindOfConnection: [String: String] = [:]
  private var session: DaemonSession?
  private var timer: LoopTimer?
  private var endTimer: LoopTimer?
  private var backoff = Backoff(.milliseconds(200)...(.seconds(10)))
  /// The last logged reason for the missing daemon.
  private var loggedReason: String?
  private var isAttached = false
  private var isStopping = false

  /// The time limit for running requests when the bridge is stopped.
  private static let grace = Duration.seconds(5)

  init(_ settings: BridgeSettings, loop: EventLoop, log: Log) throws(Errno) {
    self.settings = settings
    self.loop = loop
    self.log = log
    poller = try Poller()
    attachment = try poller.attach(to: loop)
    kinds = [
      HTTPKind(loop: loop, poller: poller, log: log),
      BrokerKind<MQTTConnection>("mqtt", loop: loop, poller: poller, log: log),
      BrokerKind<NATSConnection>("nats", loop: loop, poller: poller, log: log),
    ]
    timer = try loop.addTimer { [unowned self] in connect() }
    endTimer = try loop.addTimer { [unowned self] in end() }
    loop.iterationEnded = { [unowned self] in if isStopping { endIfDone() } }
  }

  /// Connects to the daemon, and retries until that succeeds.
  func start() { connect() }

  /// Begins nothing more, and ends the loop once what runs has been acknowledged, or after a few seconds.
  func stop() {
    if isStopping { return end() }
    isStopping = true
    try? timer?.set(nil)
    for kind in kinds { kind.stop() }
    try? endTimer?.set(.now() + Self.grace)
    loop.post {}
  }

  private func endIfDone() {
    let running = kinds.reduce(0) { $0 + $1.running }
    if session == nil || running == 0 && session?.isFlushed == true { end() }
  }

  private func end() {
    session?.close()
    session = nil
    loop.stop()
  }

  // MARK: The daemon

  private func connect() {
    guard session == nil, !isStopping else { return }
    do throws(Errno) {
      let socket =
        if let number = settings.inherited { OwnedDescriptor(owning: number) } else {
          try UnixSocket.connect(path: settings.socket, blocking: false)
        }
      begin(DaemonSession(try StreamConnection(socket, loop: loop, poller: poller), log: log))
    } catch { lose("\(error)") }
  }

  private func begin(_ session: DaemonSession) {
    self.session = session
    session.closed = { [unowned self] in lose("the daemon has ended the connection") }
    session.refused = { [unowned self] refusal in
      session.close()
      lose("the daemon refuses the bridge: \(refusal.message)")
    }
    session.attached = { [unowned self] declarations in attach(session, declarations) }
    session.declared = { [unowned self] change in
      note(change)
      for kind in kinds { kind.change(change.of(kind.name)) }
    }
    session.received = { [unowned self] task in
      // A kind that knows no such connection says so.
      (kind(of: task) ?? kinds.first)?.perform(task)
    }
    session.cancelled = { [unowned self] task in for kind in kinds { kind.cancel(task: task) } }
    session.drained = { [unowned self] in for kind in kinds { kind.resume() } }
    session.attach(kinds.map(\.name), window: settings.window)
  }

  private func kind(of task: AdapterTask) -> (any AdapterKind)? {
    kindOfConnection[task.connection].flatMap { name in kinds.first { $0.name == name } }
  }

  private func note(_ change: DeclarationChange) {
    guard let connections = change.connections else { return }
    kindOfConnection = Dictionary(connections.map { ($0.name, $0.kind) }) { first, _ in first }
  }

  private func attach(_ session: DaemonSession, _ declarations: DeclarationChange) {
    isAttached = true
    loggedReason = nil
    backoff.reset()
    note(declarations)
    log.notice(
      "attached to the daemon", ("connections", "\(declarations.connections?.count ?? 0)"),
      ("declarations", "\(declarations.added.count)"))
    for kind in kinds { kind.attach(session, declarations.of(kind.name)) }
    ServiceManager.notify(.status("attached"))
    let ready = ready
    self.ready = {}
    ready()
  }

  private func lose(_ reason: String) {
    session = nil
    if isAttached { for kind in kinds { kind.detach() } }
    isAttached = false
    if isStopping { return end() }
    if loggedReason != reason { log.warning("without a daemon: \(reason)") }
    loggedReason = reason
    if settings.inherited != nil { return loop.stop() }
    ServiceManager.notify(.status("without a daemon: \(reason)"))
    try? timer?.set(.now() + backoff.pause())
  }
}
