import Glibc
import GraphEngine
package import GraphModel
import JSON
package import Linux
package import Persistence
import Signals
import WireProtocol
import World

/// The daemon: runs the graphs of a configuration and serves them to clients on a socket, until a signal ends it.
///
///     in     Listener → Connection → Dispatcher → Hub → GraphRuntime
///     out    Channel → DeliveryGroup → Subscription → SendBuffer → Connection
///
/// It assembles these parts and connects them to the loop: iterations, timers, signals, the service manager.
///
/// Each folder uses those below it in this list, and none above (`scripts/lint-layers`):
///
///     Bus           signals on a message bus, and the clients that send there
///     Handover      the state of a daemon, for the one that takes over
///     Connections   the bytes of each client, in and out
///     Dispatch      the handling of a line
///     Cluster       the parts of this node in the logs of clustered graphs
///     Sessions      the subscriptions, calls and quotas of a client, and the order of its answers
///     Hub           signals and their subscriptions
///     Output        the output of an iteration for clients
///     Limits        the memory held for clients, and the senders that wait
///     Encoding      the system's values as bytes of a handover
///     Start         the daemon's environment at start
package final class Daemon {
  /// The longest time for clients to read their last output when the daemon ends.
  private static let farewell = Duration.seconds(3)

  /// The time limit at shutdown for sending the rest of lists of values.
  private static let listPatience = Duration.seconds(1)

  static let isShuttingDown = WireError(.shuttingDown, "the daemon is shutting down")

  let loop: EventLoop
  let log: Log
  let source: ConfigurationSource
  let hub: Hub
  let clock = IterationClock()
  let connections: Connections
  let audit: AuditLog
  let dispatcher: Dispatcher
  let listener: Listener
  let control: Control
  let world: SystemWorld
  /// The signals on a message bus, if the configuration names one.
  var bus: BusService?
  /// The adapter that the daemon starts itself, if the configuration needs it.
  var childBridge: ChildBridge?
  /// The node of the cluster that the daemon is, if it runs clustered graphs.
  var cluster: ClusterNode?
  /// The current configuration and its source.
  var stored: StoredConfiguration
  /// The state of the old process, until this one has started.
  private var resumption: Resumption?
  /// The configuration to apply next, if the old process had another one.
  private var next: StoredConfiguration?
  /// True until the graphs run for the first time, unless they resume from a handover.
  var isStarting = false
  /// True if the handover failed and another daemon starts without it.
  private var isDiscarded = false
  /// The program on disk while it is asked to accept the state.
  var successor: SuccessorProgram?
  private var sources: [EventSource] = []
  private var polling: PollerAttachment?
  private var timer: LoopTimer?
  private var deadline: MonotonicInstant?
  let poller: Poller
  /// The durable signals, which have mirrors for the other graphs and for clients.
  private let mirrors = Mirrors(\.isDurable)
  /// Returns the path of the folder with the state log of a home.
  let stateFolder: (Home, Configuration) throws(StartFailure) -> String
  var isEnding = false
  private var endings = Repetition(allowance: 10)
  var wallClock: WallClock
  private var clockWatch: ClockWatch?
  /// The time at which free memory was last returned to the system.
  private var tidied: MonotonicInstant

  /// Assembles the daemon; nothing runs yet.
  ///
  /// - Parameters:
  ///   - resumption: The state of the old process to resume from. If that fails, this throws and leaves it unchanged.
  ///   - stateFolder: Returns the path of the folder with the state log of a home.
  package convenience init(
    _ stored: StoredConfiguration, from source: ConfigurationSource, socket: consuming UnixListener,
    loop: EventLoop, log: Log, resumption: Resumption? = nil,
    stateFolder: @escaping (Home, Configuration) throws(StartFailure) -> String = StateChoice.folder(of:_:)
  ) throws(StartFailure) {
    let first = resumption?.state.configuration ?? stored
    do throws(Errno) {
      try self.init(
        first, from: source, socket: socket, loop: loop, log: log, isResuming: resumption != nil,
        stateFolder: stateFolder)
    } catch {
      throw StartFailure(error)
    }
    isDiscarded = resumption != nil
    isStarting = resumption == nil
    try openHomes(of: first)
    isDiscarded = false
    let before = resumption?.state.durable ?? [:]
    begin(hub.commits.filter { resumption == nil || before[$0.home] != nil }, handedOver: before)
    hub.homes.connect()
    guard let resumption else { return }
    do throws(StateError) { try proceed(with: resumption) } catch {
      isDiscarded = true
      throw StartFailure("cannot resume handover state: \(error.message)", status: 70)
    }
    // Durable graphs that did not run in the old process start in the ordinary way.
    let others = hub.commits.filter { !$0.graphs.hasBegun }
    if !others.isEmpty {
      begin(others)
      hub.homes.connect()
    }
    self.resumption = resumption
    if stored.bytes != first.bytes { next = stored }
  }

  private init(
    _ stored: StoredConfiguration, from source: ConfigurationSource, socket: consuming UnixListener,
    loop: EventLoop, log: Log, isResuming: Bool,
    stateFolder: @escaping (Home, Configuration) throws(StartFailure) -> String
  ) throws(Errno) {
    let configuration = stored.configuration
    self.stored = stored
    self.loop = loop
    self.log = log
    self.source = source
    self.stateFolder = stateFolder
    let iteration = LoopIteration(clock)
    let ledger = Ledger(limits: configuration.server.limits)
    let poller = try Poller()
    self.poller = poller
    let now = clock.now
    wallClock = WallClock(at: now, .now())
    tidied = now
    world = try SystemWorld(
      loop: loop, poller: poller, log: log, socket: PrivateDaemon.folder == nil ? socket.path : nil,
      isDryRun: PrivateDaemon.isDryRun)
    world.apply(configuration)
    let runtime = GraphRuntime(
      configuration, world: world, now: Instant(now), wallOffset: wallClock.seconds, mirrors: mirrors, keepsState: true,
      isResuming: isResuming)
    runtime.clock.measuredTime = WallTime.now().microseconds
    runtime.limitTurns { SystemClock.monotonic.now }
    hub = Hub(runtime, homes: Homes(mirrors), iteration: iteration)
    control = Control(hub: hub, ledger: ledger)
    audit = AuditLog(log)
    dispatcher = Dispatcher(
      hub: hub, control: control, audit: audit, network: world.systemNetwork, maximumDepth: ledger.limits.depth)
    dispatcher.adapterUsers = Members(configuration.server.access.adapters)
    runtime.onRefusal = { [unowned runtime, weak dispatcher] value in
      dispatcher?.refusals.note(value, in: runtime)
      log.debug(
        "\(value.signal): \(value.operatorName) rejected a value: \(value.failure.message)", ("signal", value.signal))
    }
    dispatcher.observers = Members(configuration.server.access.stats)
    world.systemNetwork.presentPayload = { [weak hub] name, place in
      // The value of a graph that another node computes may be older here than the one published there.
      if let home = hub?.runtime.signal(named: name)?.declaration.home, hub?.commits(of: home) == nil { return nil }
      return hub?.runtime.presentPayload(of: (name, place))
    }
    connections = try Connections(
      loop: loop, poller: poller, iteration: iteration, ledger: ledger, dispatcher: dispatcher, log: log)
    listener = try Listener(socket, connections: connections)
    try attach(poller)
  }

  /// Stops everything at once, without notifying clients; `end` is the orderly way.
  ///
  /// Graphs and connections are closed before the world that they use. A daemon that failed to resume shares the loop
  /// with the one that starts in its place, and must not call it.
  deinit {
    bus?.end()
    childBridge?.end()
    cluster = nil
    for commits in hub.commits { commits.close() }
    hub.runtime.stop()
    connections.closeAll()
    listener.close(keepsFile: isDiscarded)
    world.close()
  }

  /// Starts the graphs and notifies the service manager that clients can connect.
  package func start() throws(Errno) {
    try loop.feedWatchdog()
    if let resumption { resume(resumption) } else { hub.runtime.start() }
    withholdConnections()
    putSignalsOnBus(hub.runtime.configuration.server)
    startBridge(stored.configuration)
    isStarting = false
    openHomesLater()
    joinCluster()
    listener.warnOfLimits()
    log.info("ready: \(summary)", ("socket", listener.path ?? ""))
    ServiceManager.notify(.ready, .status(summary))
    // This makes the first iteration end at once: it sets the timers and writes the output so far.
    loop.post {}
  }

  /// Serves the clients of the old process, and applies the new configuration if there is one, as a reload does.
  private func resume(_ resumption: Resumption) {
    self.resumption = nil
    resumption.commit()
    let state = resumption.state
    log.notice(
      "resumed the state of process \(state.processID), \(state.program): \(connections.count) connections")
    hub.runtime.deliverAdopted()
    connections.endRefusedSubscriptions()
    connections.resumePolling()
    guard let next = next.take() else { return }
    hub.runtime.started = next.configuration.server
    do throws(WireError) { _ = try adopt(next) } catch {}
  }

  /// Handles the signals that end the daemon: subscribers are interrupted, and have a moment to read that.
  package func handleSignals() throws(Errno) {
    for number in [SIGTERM, SIGINT] {
      sources.append(try loop.addSignal(number) { [weak self] in self?.end() })
    }
    sources.append(try loop.addSignal(SIGUSR1) { [weak self] in self?.handOverToServiceManager() })
    sources.append(try loop.addSignal(SIGUSR2) { [weak self] in self?.replaceProgram() })
    sources.append(
      try loop.addSignal(SIGHUP) { [weak self] in
        guard let self, !isEnding else { return }
        beginIteration()
        audit.noteHangUp()
        _ = try? reload()
      })
  }

  /// Ends the daemon: stops accepting clients and lines, interrupts every subscription, fails every call, flushes the
  /// output and ends the programs.
  package func end() {
    if isEnding { return }
    isEnding = true
    log.info("ending")
    ServiceManager.notify(.stopping)
    listener.close()
    dispatcher.endLists(within: Self.listPatience, because: Self.isShuttingDown)
    hub.homes.finish()
    cluster?.end()
    childBridge?.end()
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

  /// The size of the configuration for messages: `2 graphs, 7 signals`.
  var contents: String {
    let configuration = hub.runtime.configuration
    let counts = [(configuration.graphs.count, "graph"), (configuration.signalCount, "signal")]
    return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  // MARK: Iterations

  private func attach(_ poller: Poller) throws(Errno) {
    // The loop and pending callbacks may outlive the daemon, so they must not retain it or rely on it.
    let begin = { [weak self] in if let self { beginIteration() } }
    hub.runtime.onEnding = { [weak self] in self?.report(endOf: $0) }
    polling = try poller.attach(to: loop, begin: begin)
    timer = try loop.addTimer(begin)
    clockWatch = try loop.addClockWatch(begin)
    world.work.begin = begin
    dispatcher.lists.work = world.work
    world.systemNetwork.begin = begin
    world.systemNetwork.onState = { [own = hub.runtime.own] in own.publish(.object($0), on: own.connections) }
    world.work.isPaused = { [weak self] in self?.hub.pausesReaders(of: $0) ?? false }
    hub.signalsChanged = { [weak self] in self?.bus?.signals.update() }
    control.census = { [weak self] in self?.connections.census ?? ClientCensus() }
    control.reload = { [weak self] () throws(WireError) in
      guard let self else { throw Self.isShuttingDown }
      return try reload()
    }
    control.forecast = { [weak self] () throws(WireError) in
      guard let self else { throw Self.isShuttingDown }
      return try forecast()
    }
    control.evict = { [weak self] in self?.childBridge?.evict() }
    control.child = { [weak self] in self?.childBridge?.session }
    control.paths = { [weak self] in self?.paths }
    control.cluster = { [weak self] in self?.cluster?.overview }
    connections.clientReports.observer = { [own = hub.runtime.own] happening, client, user in
      own.publish(
        ["client": .number(Double(client)), "event": .string(happening.rawValue), "uid": .number(Double(user))],
        on: own.clients)
    }
    loop.iterationEnded = { [weak self] in self?.endIteration() }
  }

  /// A failure deserves a warning, another ending may be intended.
  private func report(endOf signal: RunningSignal) {
    guard let end = signal.end, let others = endings.ending(at: clock.now) else { return }
    let text = hub.runtime.story(ofEndOf: signal) + others
    if case .failed(let failure) = end.ending {
      log.warning(text, ("signal", signal.name), ("code", failure.code))
    } else {
      log.info(text, ("signal", signal.name))
    }
  }

  /// Advances the time of the graphs before any event of this iteration.
  func beginIteration() {
    clock.readTime()
    if let jump = wallClock.jump(at: clock.now, isSet: clockWatch?.takeChange() ?? false, .now()) {
      hub.runtime.clock.wallOffset = wallClock.seconds
      log.notice("the clock was set: jump of \(jump)")
    }
    hub.runtime.clock.measuredTime = WallTime.now().microseconds
    let runtime = hub.runtime
    // The daemon's own timers run in order with those of the graphs: before graph timers that are due later, otherwise
    // after.
    clock.runDueTimers(before: runtime.nextDeadline.map(MonotonicInstant.init) ?? clock.now)
    runtime.advance(to: Instant(clock.now))
    for commits in hub.commits where commits.graphs.hasBegun {
      commits.graphs.advance(to: Instant(clock.now), runtime.clock.microseconds)
    }
    clock.runDueTimers()
  }

  private func endIteration() {
    for commits in hub.commits where commits.graphs.hasBegun { commits.endIteration() }
    world.work.proceed()
    world.systemNetwork.endIteration()
    childBridge?.update()
    cluster?.endIteration()
    connections.endIteration()
    // Reports at the end of an iteration may be inputs of durable graphs, and no other event may come soon.
    if hub.commits.contains(where: { $0.graphs.hasBegun && $0.graphs.hasCrossings }) { loop.post {} }
    setTimer()
    tidyUp()
    if isEnding && connections.isEmpty && world.isQuiet { loop.stop() }
  }

  /// Slow clients that have disconnected leave holes between the blocks of others, which the C library does not return.
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
    for commits in hub.commits where commits.graphs.hasBegun {
      guard let durable = commits.graphs.nextDeadline.map(MonotonicInstant.init) else { continue }
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
  /// Logs the warnings about a configuration.
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
