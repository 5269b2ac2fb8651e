import Glibc
import JSON
package import Linux
package import Persistence
import ReactiveCore
package import SignalGraph
import WireProtocol

/// The daemon: graphs from a configuration, served to clients on a socket, until a signal ends it.
///
///     in     Listener → Connection → Dispatcher → Hub → GraphRuntime
///     out    Channel → Feed → Subscription → Outbox → Connection
///
/// It puts these together and wires them to the loop: turns, timers, signals, the service manager.
///
/// Each folder uses those that stand below it here, and none above (`scripts/lint-layers`):
///
///     Bus           signals on a message bus, and those who send there
///     Connections   the bytes of each client, in and out
///     Dispatch      what a line means
///     Sessions      what a client has asked for and is held to
///     Hub           signals, and who listens to them
///     Output        what a turn makes for clients
///     Limits        what clients make the daemon hold, and who has to wait
///     Time          the time of a turn, and what waits for it
///     Start, World  what the daemon needs to start, and what graphs need of the system
package final class Daemon {
  /// How long clients may take at the end to read what is theirs.
  private static let farewell = Duration.seconds(3)

  static let isShuttingDown = WireError(.shuttingDown, "the daemon is ending")

  let loop: EventLoop
  let log: Log
  let source: ConfigurationSource
  let hub: Hub
  let clock = TurnClock()
  let connections: Connections
  let audit: AuditLog
  let dispatcher: Dispatcher
  let listener: Listener
  let control: Control
  let world: SystemWorld
  /// The signals on a message bus, where there is to be one.
  var bus: BusService?
  /// The configuration that runs, and what it was read from.
  var stored: StoredConfiguration
  /// The work of another process that this one goes on with, until it has started.
  private var takeover: Takeover?
  /// The configuration that is to run, where the process before had another one.
  private var next: StoredConfiguration?
  /// Whether it could not go on with that, and another one begins anew.
  private var isDiscarded = false
  /// The program that is asked whether it can take over.
  var successor: Successor?
  private var sources: [EventSource] = []
  private var polling: PollerAttachment?
  private var timer: LoopTimer?
  private var deadline: MonotonicInstant?
  let poller: Poller
  /// The durable signals, of which the other graphs and clients see mirrors.
  let mirrors = Mirrors(\.isDurable)
  var isEnding = false
  private var endings = Repetition(allowance: 10)
  var wallClock: WallClock
  private var clockWatch: ClockWatch?
  /// When free memory was last given back.
  private var tidied: MonotonicInstant

  /// Puts everything together; nothing runs yet.
  ///
  /// - Parameter takeover: The work of another process that it goes on with. Where it cannot, it throws, and that is left
  ///   as it was.
  package convenience init(
    _ stored: StoredConfiguration, from source: ConfigurationSource, socket: consuming UnixListener,
    loop: EventLoop, log: Log, takeover: Takeover? = nil
  ) throws(StartFailure) {
    let first = takeover?.state.configuration ?? stored
    do throws(Errno) {
      try self.init(first, from: source, socket: socket, loop: loop, log: log, isResuming: takeover != nil)
    } catch {
      throw StartFailure(error)
    }
    if first.configuration.isDurable {
      isDiscarded = takeover != nil
      try openDurableGraphs(first)
      isDiscarded = false
      if takeover == nil || takeover?.state.durable != nil {
        beginDurableGraphs(handedOver: takeover?.state.durable)
      }
    }
    guard let takeover else { return }
    do throws(StateError) { try goOn(with: takeover) } catch {
      isDiscarded = true
      throw StartFailure("the work of the process before cannot be gone on with: \(error.message)", status: 70)
    }
    // Those that did not run in the process before begin as they do with any start.
    if takeover.state.durable == nil { beginDurableGraphs() }
    self.takeover = takeover
    if stored.bytes != first.bytes { next = stored }
  }

  private init(
    _ stored: StoredConfiguration, from source: ConfigurationSource, socket: consuming UnixListener,
    loop: EventLoop, log: Log, isResuming: Bool
  ) throws(Errno) {
    let configuration = stored.configuration
    self.stored = stored
    self.loop = loop
    self.log = log
    self.source = source
    let turn = Turn(clock)
    let ledger = Ledger(limits: configuration.server.limits)
    let poller = try Poller()
    self.poller = poller
    let now = clock.now
    wallClock = WallClock(at: now, .now())
    tidied = now
    world = try SystemWorld(loop: loop, poller: poller, log: log)
    let runtime = GraphRuntime(
      configuration, world: world, now: Instant(now), wallOffset: wallClock.seconds, mirrors: mirrors, keepsState: true,
      isResuming: isResuming)
    runtime.onRefusal = { value in
      log.debug(
        "\(value.signal): \(value.operatorName) refused a value: \(value.failure.message)", ("signal", value.signal))
    }
    runtime.clock.measuredTime = WallTime.now().microseconds
    hub = Hub(runtime, turn: turn)
    control = Control(hub: hub, ledger: ledger)
    audit = AuditLog(log)
    dispatcher = Dispatcher(
      hub: hub, control: control, audit: audit, maximumDepth: ledger.limits.depth)
    dispatcher.observers = Members(configuration.server.access.stats)
    connections = try Connections(
      loop: loop, poller: poller, turn: turn, ledger: ledger, dispatcher: dispatcher, log: log)
    listener = try Listener(socket, connections: connections)
    try attach(poller)
  }

  /// Takes everything down at once, without a word; `end` does it as it should be done.
  deinit {
    bus?.end()
    hub.runtime.stop()
    connections.closeAll()
    listener.close(keepsFile: isDiscarded)
    world.close()
  }

  /// Starts the graphs and tells the service manager that clients are welcome.
  package func start() throws(Errno) {
    try loop.feedWatchdog()
    if let takeover { goOnListening(takeover) } else { hub.runtime.start() }
    putSignalsOnBus(hub.runtime.configuration.server)
    log.info("ready: \(summary)", ("socket", listener.path ?? ""))
    ServiceManager.notify(.ready, .status(summary))
    // The first turn is to end at once: then timers are set, and what has come about so far is written.
    loop.post {}
  }

  /// Serves the clients of the process before, by the rules of a reload where the configuration is another one now.
  private func goOnListening(_ takeover: Takeover) {
    self.takeover = nil
    takeover.commit()
    let state = takeover.state
    log.notice(
      "goes on with the work of process \(state.processID), \(state.program): \(connections.count) connections")
    hub.runtime.tellAdopted()
    connections.goOnListening()
    guard let next = next.take() else { return }
    hub.runtime.started = next.configuration.server
    do throws(WireError) { _ = try adopt(next) } catch {}
  }

  /// Ends after the signals that ask for it: subscribers are told, and have a moment to read it.
  package func handleSignals() throws(Errno) {
    for number in [SIGTERM, SIGINT] {
      sources.append(try loop.addSignal(number) { [unowned self] in end() })
    }
    sources.append(try loop.addSignal(SIGUSR1) { [unowned self] in handOverToServiceManager() })
    sources.append(try loop.addSignal(SIGUSR2) { [unowned self] in replaceProgram() })
    sources.append(
      try loop.addSignal(SIGHUP) { [unowned self] in
        if isEnding { return }
        turnBegins()
        audit.noteHangUp()
        _ = try? reload()
      })
  }

  /// Ends: no new clients and no new lines, an `interrupted` for every subscriber and an error for every call, what is
  /// written is flushed, programs are ended.
  package func end() {
    if isEnding { return }
    isEnding = true
    log.info("ending")
    ServiceManager.notify(.stopping)
    listener.close()
    running?.graphs.finish()
    bus?.end(because: Self.isShuttingDown)
    hub.interruptAll(.shuttingDown)
    connections.endCalls(because: Self.isShuttingDown)
    hub.runtime.stop()
    world.end()
    connections.finish(within: Self.farewell)
  }
}

extension Daemon {
  var summary: String { "\(contents), generation \(hub.runtime.generation)" }

  /// The size of the configuration, for people: `2 graphs, 7 signals`.
  var contents: String {
    let configuration = hub.runtime.configuration
    let counts = [(configuration.graphs.count, "graph"), (configuration.signalCount, "signal")]
    return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  // MARK: Turns

  private func attach(_ poller: Poller) throws(Errno) {
    hub.runtime.onEnding = { [unowned self] in tell(endOf: $0) }
    polling = try poller.attach(to: loop) { [unowned self] in turnBegins() }
    timer = try loop.addTimer { [unowned self] in turnBegins() }
    clockWatch = try loop.addClockWatch { [unowned self] in turnBegins() }
    world.work.begin = { [unowned self] in turnBegins() }
    world.work.isHeldUp = { [unowned self] in running?.graphs.isBehind == true }
    hub.signalsChanged = { [unowned self] in bus?.signals.update() }
    control.census = { [unowned self] in connections.census }
    control.reload = { [unowned self] () throws(WireError) in try reload() }
    control.forecast = { [unowned self] () throws(WireError) in try forecast() }
    connections.happenings.observer = { [unowned self] happening, client, user in
      let own = hub.runtime.own
      own.publish(
        ["client": .number(Double(client)), "event": .string(happening.rawValue), "uid": .number(Double(user))],
        on: own.clients)
    }
    loop.turnEnded = { [unowned self] in turnEnds() }
  }

  /// A failure is something to look into, another ending may be meant.
  private func tell(endOf signal: RunningSignal) {
    guard let end = signal.end, let unsaid = endings.next(at: clock.now) else { return }
    let text = hub.runtime.story(ofEndOf: signal) + (unsaid == 0 ? "" : "; so did \(unsaid) more before")
    if case .failed(let failure) = end.ending {
      log.warning(text, ("signal", signal.name), ("code", failure.code))
    } else {
      log.info(text, ("signal", signal.name))
    }
  }

  /// Time goes on for the graphs before anything that comes in this turn.
  func turnBegins() {
    clock.readTime()
    if let jump = wallClock.jump(at: clock.now, isSet: clockWatch?.takeChange() ?? false, .now()) {
      hub.runtime.clock.wallOffset = wallClock.seconds
      log.notice("the clock was set: it jumped by \(jump)")
    }
    hub.runtime.clock.measuredTime = WallTime.now().microseconds
    let runtime = hub.runtime
    // The daemon's own alarms come in their time too: before those of graphs that are due later, else after them.
    clock.runDueTimers(before: runtime.nextDeadline.map(MonotonicInstant.init) ?? clock.now)
    runtime.advance(to: Instant(clock.now))
    running?.graphs.advance(to: Instant(clock.now), runtime.clock.microseconds)
    clock.runDueTimers()
  }

  private func turnEnds() {
    running?.turnEnds()
    world.work.goOn()
    connections.turnEnds()
    setTimer()
    tidyUp()
    if isEnding && connections.isEmpty && world.isQuiet { loop.stop() }
  }

  /// Clients that were slow and went leave holes among the blocks of others, which the C library keeps.
  private func tidyUp() {
    guard clock.now - tidied >= .seconds(10) else { return }
    tidied = clock.now
    CurrentProcess.returnFreeMemory()
  }

  private func setTimer() {
    var next = clock.nextDeadline
    if let graphs = hub.runtime.nextDeadline.map(MonotonicInstant.init) {
      next = next.map { min($0, graphs) } ?? graphs
    }
    if let durable = running?.graphs.nextDeadline.map(MonotonicInstant.init) {
      next = next.map { min($0, durable) } ?? durable
    }
    if next == deadline { return }
    deadline = next
    do throws(Errno) { try timer?.set(next) } catch { loop.fail(error) }
  }
}

extension Instant {
  init(_ instant: MonotonicInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension MonotonicInstant {
  init(_ instant: Instant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension Log {
  /// Writes what is doubtful about a configuration.
  package func report(_ warnings: Diagnostics) {
    for warning in warnings.list { self.warning("\(warning.place): \(warning.text)") }
  }
}

extension LogLevel {
  package init(_ level: LogSettings.Level) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .notice: self = .notice
    case .info: self = .info
    case .debug: self = .debug
    }
  }
}
