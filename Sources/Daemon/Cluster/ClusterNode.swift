import Cluster
import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import Signals
import StateLog
import WireProtocol
import World

/// This daemon as a node of a cluster: its connection to the servers, what it hears of other nodes, and its part in the
/// logs of clustered graphs.
///
/// The state machines of `Cluster` decide; this carries their steps out.
final class ClusterNode {
  let settings: ClusterSettings
  /// The name of this node.
  let name: String
  /// This process: 16 random hexadecimal digits.
  let boot = Epochs.makeName()
  let hub: Hub
  let world: any GraphWorld
  let poller: Poller
  let clock: IterationClock
  let log: Log
  /// Returns the configuration to run.
  let stored: () -> StoredConfiguration
  private(set) var roster: NodeRoster
  private(set) var homes: [ClusterHome] = []
  private let relay: RelayProcess
  /// The address of the server; `nil` without a connection.
  private(set) var server: String?
  /// The reason for a missing connection, and its beginning.
  private(set) var away: (reason: String, since: MonotonicInstant)
  private var replies: [UInt64: PendingReply] = [:]
  private var lastReply: UInt64 = 0
  private var subscriptions: [UInt32: (IncomingMessage) -> Void] = [:]
  private var lastSubscription: UInt32 = 0
  private var nextHeartbeat: MonotonicInstant
  private var timer: IterationTimer?
  private var isAdvancing = false
  /// True while another daemon keeps the name of this node: this one takes no part then.
  private(set) var isNameTaken = false
  private let began: MonotonicInstant
  /// The nodes whose clocks differ much, and the processes that use the name of this node: each is logged once.
  private var logged: Set<String> = []
  private(set) var isEnding = false

  private struct PendingReply {
    let deadline: MonotonicInstant
    let receive: (IncomingMessage) -> Void
  }

  /// The time after which a reply counts as lost; its request was repeated long before.
  private static let patience = Duration.seconds(10)
  /// The difference of clocks that is not reported.
  private static let clockTolerance = Duration.milliseconds(500)
  /// The time without a connection after which clustered graphs are unavailable.
  private static let grace = Duration.seconds(1)

  init(
    _ settings: ClusterSettings, hub: Hub, world: any GraphWorld, poller: Poller, log: Log,
    stored: @escaping () -> StoredConfiguration
  ) {
    self.settings = settings
    (self.hub, self.world, self.poller, self.log, self.stored) = (hub, world, poller, log, stored)
    clock = hub.iteration.clock
    name = settings.node ?? Self.token(of: CurrentProcess.hostName)
    roster = NodeRoster(node: name, boot: boot)
    relay = RelayProcess(settings.connection, poller: poller, clock: clock, log: log)
    away = ("the relay has not connected yet", clock.now)
    (nextHeartbeat, began) = (clock.now, clock.now)
    relay.onState = { [unowned self] in connectionChanged($0) }
    relay.onMessage = { [unowned self] in subscriptions[$0]?(IncomingMessage($1)) }
  }

  deinit {
    hub.clustered = [:]
    hub.homes.onRemoteSend = { _, _ in }
    relay.end()
  }

  var now: Instant { Instant(clock.now) }
  var isConnected: Bool { server != nil }
  var relayRestarts: Int { relay.restarts }
  /// The reason for refusing requests of clustered graphs.
  var unavailability: String? {
    if isNameTaken { return conflict }
    return isConnected || clock.now - away.since < Self.grace ? nil : "no connection to the cluster: \(away.reason)"
  }

  /// The reason that this node takes no part at present; `nil` while it does.
  var absence: String? { isNameTaken ? conflict : isConnected ? nil : away.reason }

  private var conflict: String {
    "another daemon that runs longer calls itself node \(name), too: give each a name of its own (server.cluster.node)"
  }

  /// Adopts the clustered graphs of a configuration.
  func apply(_ configuration: Configuration) {
    let graphs = configuration.graphs.filter { $0.cluster != nil }
    for home in homes where !graphs.contains(where: { $0.home == home.home }) { home.close() }
    homes.removeAll { home in !graphs.contains { $0.home == home.home } }
    for graph in graphs {
      guard let place = graph.home, let placement = graph.cluster else { continue }
      if let home = homes.first(where: { $0.home == place }) {
        home.placement = placement
        // The reload may have replaced mirrors.
        home.followed.adoptState()
      } else {
        homes.append(ClusterHome(place, graph: graph.name, placement, in: self))
      }
    }
    hub.clustered = Dictionary(uniqueKeysWithValues: homes.map { ($0.home, $0) })
    hub.homes.onRemoteSend = { [weak self] value, mirror in self?.forward(value, to: mirror) }
    relay.start()
    advance()
  }

  /// Sends a value of another graph to the owner of a clustered one; it counts as rejected if that is not possible.
  private func forward(_ value: Payload, to mirror: RunningSignal) {
    let home = homes.first { $0.home == mirror.declaration.home }
    let runtime = hub.runtime
    let content = ForwardedContent(.value(value), to: mirror.name, userID: CurrentProcess.userID)
    guard let home, home.unavailability == nil, !home.isBehind, content.bytes.count <= home.longestSend else {
      return runtime.count(.error, in: mirror)
    }
    home.send(content.bytes, message: nil) { outcome in
      if case .failure = outcome { runtime.count(.error, in: mirror) }
    }
  }

  // MARK: The servers

  private func connectionChanged(_ state: Result<String, RelayProcess.Away>) {
    (replies, subscriptions) = ([:], [:])
    switch state {
    case .success(let server):
      self.server = server
      roster.connected(at: now)
      log.notice("cluster: connected to \(server)")
      publish(["event": "connected", "server": .string(server)])
      subscribe("\(inbox).r.*") { [unowned self] in takeReply($0) }
      subscribe("\(settings.prefix).nodes") { [unowned self] in takeHeartbeat($0) }
      nextHeartbeat = clock.now
    case .failure(let absence):
      if isConnected { away.since = clock.now }
      if isConnected || away.reason != absence.reason {
        log.warning("cluster: not connected: \(absence.reason)")
        publish(["event": "away", "reason": .string(absence.reason)])
      }
      away.reason = absence.reason
      server = nil
      roster.disconnected()
    }
    for home in homes { home.connectionChanged() }
    advance()
  }

  /// Emits a change as a value of the daemon's own signal.
  func publish(_ change: JSONObject) { hub.runtime.own.publish(.object(change), on: hub.runtime.own.cluster) }

  /// The prefix of the subjects for replies, which only this process has.
  var inbox: String { "_INBOX.\(boot)" }

  func publish(_ message: OutgoingMessage, reply: String = "") {
    guard isConnected else { return }
    relay.send(.publish(RelayMessage(message, reply: reply)))
  }

  /// Publishes a message, and receives the first reply, if one comes in time.
  func request(_ message: OutgoingMessage, _ receive: @escaping (IncomingMessage) -> Void) {
    guard isConnected else { return }
    lastReply += 1
    replies[lastReply] = PendingReply(deadline: clock.now + Self.patience, receive: receive)
    publish(message, reply: "\(inbox).r.\(lastReply)")
  }

  /// Receives the messages of a subject while the connection lasts.
  @discardableResult
  func subscribe(_ subject: String, _ receive: @escaping (IncomingMessage) -> Void) -> UInt32 {
    lastSubscription += 1
    subscriptions[lastSubscription] = receive
    relay.send(.subscribe(lastSubscription, subject: subject))
    return lastSubscription
  }

  func unsubscribe(_ number: UInt32) {
    if subscriptions.removeValue(forKey: number) != nil { relay.send(.unsubscribe(number)) }
  }

  private func takeReply(_ message: IncomingMessage) {
    guard let text = message.subject.split(separator: ".").last, let number = UInt64(text),
      let reply = replies.removeValue(forKey: number)
    else { return }
    reply.receive(message)
  }

  // MARK: Other nodes

  private func takeHeartbeat(_ message: IncomingMessage) {
    if let claim = NameClaim(message.payload) {
      roster.heard(claim, age: age, at: now)
      return noteName()
    }
    guard let heartbeat = NodeHeartbeat(message.payload), heartbeat.boot != boot else { return }
    if heartbeat.node == name { defendName(against: heartbeat.boot) }
    roster.heard(heartbeat, at: now)
    compareClock(with: heartbeat)
    for home in homes { home.heard(heartbeat) }
  }

  // MARK: The name

  /// The time for which this process has been a node, in microseconds.
  private var age: Int64 { Int64((clock.now - began) / .microseconds(1)) }

  /// Tells another daemon with the name of this node how long this one runs: the younger one retires.
  private func defendName(against other: String) {
    if isNameTaken { return }
    if logged.insert(other).inserted {
      log.error(
        "cluster: another daemon calls itself node \(name), too: give each a name of its own (server.cluster.node)")
    }
    let claim = NameClaim(node: name, boot: boot, age: age)
    publish(OutgoingMessage(subject: "\(settings.prefix).nodes", payload: claim.bytes))
  }

  /// Retires from the cluster while an older daemon has the name of this node, and returns once that is gone.
  private func noteName() {
    let isTaken = roster.isNameTaken(at: now)
    if isTaken == isNameTaken { return }
    isNameTaken = isTaken
    if isTaken {
      log.error("cluster: \(conflict); this one takes no part")
      publish(["event": "away", "reason": .string(conflict)])
    } else {
      log.notice("cluster: no other daemon calls itself node \(name) any more; this one takes part again")
      if let server { publish(["event": "connected", "server": .string(server)]) }
    }
    for home in homes { home.nameChanged() }
  }

  /// Logs once that another node's clock is ahead: one that seems to be behind may have been heard late.
  private func compareClock(with heartbeat: NodeHeartbeat) {
    let lead = Duration.microseconds(heartbeat.time - WallTime.now().microseconds)
    let isFar = lead > Self.clockTolerance
    if !isFar { logged.remove(heartbeat.node) }
    guard isFar, logged.insert(heartbeat.node).inserted else { return }
    log.warning("cluster: the clock of node \(heartbeat.node) is \(lead) ahead of this one's")
  }

  /// Publishes the heartbeat, at once after a change of what is owned.
  func beat() {
    nextHeartbeat = clock.now + NodeHeartbeat.interval
    // Other nodes hear the other daemon under this name.
    if isNameTaken { return }
    let heartbeat = NodeHeartbeat(
      node: name, boot: boot, program: programVersionText, time: WallTime.now().microseconds,
      owned: homes.compactMap(\.ownership.owned))
    publish(OutgoingMessage(subject: "\(settings.prefix).nodes", payload: heartbeat.bytes))
  }

  // MARK: Time

  /// Does what is due, and sets the timer for what comes next.
  func advance() {
    if isAdvancing { return }
    isAdvancing = true
    defer { isAdvancing = false }
    noteName()
    if isConnected, clock.now >= nextHeartbeat { beat() }
    for home in homes { home.timePassed() }
    if !replies.isEmpty { replies = replies.filter { $0.value.deadline > clock.now } }
    setTimer()
  }

  private func setTimer() {
    var due = homes.map(\.deadline).min().map(MonotonicInstant.init) ?? clock.now + .seconds(1)
    if isConnected { due = min(due, nextHeartbeat) }
    due = min(max(due, clock.now), clock.now + .seconds(1))
    if let timer {
      if timer.due <= due { return }
      clock.cancel(timer)
    }
    timer = clock.schedule(after: due - clock.now) { [weak self] in
      self?.timer = nil
      self?.advance()
    }
  }

  /// Ends an iteration of the loop: writes what is to be sent.
  func endIteration() {
    for home in homes { home.flushSends() }
    setTimer()
    relay.flush()
  }

  /// Handles only the cluster until a condition holds, for the end of the daemon.
  func run(within limit: Duration, until isDone: () -> Bool) {
    let end = MonotonicInstant.now() + limit
    while !isDone() {
      clock.readTime()
      guard clock.now < end else { return }
      advance()
      for home in homes { home.flushSends() }
      relay.wait(min(end - clock.now, .milliseconds(20)))
    }
    relay.flush()
  }

  /// Waits until everything that was sent is stored and answered.
  ///
  /// - Returns: `false` if that takes too long.
  func settle(within limit: Duration) -> Bool {
    let graphs = homes.compactMap { $0.commits?.graphs }
    for graphs in graphs { graphs.shortenLog() }
    var isSettled = false
    run(within: limit) {
      for graphs in graphs {
        graphs.endIteration()
        graphs.releaseCommitted()
      }
      isSettled = graphs.allSatisfy(\.isIdle) && homes.allSatisfy(\.pending.isEmpty)
      return isSettled
    }
    return isSettled
  }

  /// Gives up all logs in favour of other nodes.
  ///
  /// - Parameter successor: The node that continues; `nil` for those that should own the logs then.
  func end(successor: String? = nil) {
    isEnding = true
    for home in homes { home.giveUp(to: successor) }
    run(within: .seconds(1)) { homes.allSatisfy { !$0.ownership.log.isOwner } }
    relay.flush()
    for home in homes { home.close() }
    (homes, hub.clustered) = ([], [:])
    relay.end()
    if let timer { clock.cancel(timer) }
    timer = nil
  }

  /// Returns a text as a token of a subject, with `-` in the place of all but letters, digits and `_`.
  private static func token(of text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
  }
}
