import Cluster
import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import Signals
import StateLog
import WireProtocol

/// This node's part in the log of a clustered graph: it follows what the owner writes, or is the owner and runs the graph.
///
/// Each term of ownership and each time of following begins with the log anew: what was computed and not stored is void.
final class ClusterHome {
  let home: Home
  let graph: String
  /// The nodes that may own the log.
  var placement: ClusterPlacement {
    didSet {
      if placement.includes(node.name) { isInterim = false } else if isOwner { isInterim = true }
      noteEligibility()
    }
  }
  unowned let node: ClusterNode
  let name: LogName
  let form: JetStreamLog
  var ownership: Ownership
  var followed: FollowedGraphs
  /// The number of the log's present reading: replies to earlier requests are void.
  var reading = 0
  var readers: [ReaderID: UInt32] = [:]
  /// True once the streams of the log are known to exist.
  private(set) var hasStreams = false
  private var creation = MonotonicInstant(nanoseconds: 0)
  /// The graphs while this node owns the log.
  var commits: Commits?
  var writer: StreamWriter?
  /// The term of the own opening, and the subscription to what is sent to its owner.
  var term: UInt64?
  var ownerSubscription: UInt32?
  var receivers: [String: LinkReceiver] = [:]
  var link: SendLink
  /// The sends of clients that wait, by their numbers in the link.
  var pending: [UInt64: (SendLink.Outcome) -> Void] = [:]
  var sends = SendQueue()
  /// The number of the last commit whose events clients of this node have received, before the own term.
  private var toldBefore: UInt64
  var toldCommit: UInt64 { writer?.progress.written ?? followed.told }
  /// The sequence of the last record whose events they have received; `nil` before the state of the log is known.
  var toldSequence: UInt64?
  /// True once the log was read up to an end that a server has told: before, its values and numbers are those of the past.
  var hasCaughtUp = false
  /// The time of the last commit, in microseconds since 1970.
  var lastCommit: Int64?
  /// The reason that the graph runs nowhere, as far as this node can tell.
  var fault: StorageError?
  var failovers = 0
  var fencings = 0
  /// The terms that this node has begun because the owner before was silent or had ended.
  var failoverCount = 0
  /// The time that the own commits took until they were stored, and their number.
  var commitTime = Duration.zero
  var commitCount = 0
  /// The time from the last commit that was followed until its events were published here, by both nodes' clocks.
  var followLag: Int64?
  /// The term whose owner was logged.
  private var notedTerm: UInt64 = 0
  private var loggedError = 0
  /// The last refusal of a request to the servers, while the streams are not known to exist.
  private var refusal: String?
  /// The epoch of a log that was found to be damaged: one that replaces it begins another one.
  var damagedEpoch: String?
  /// The number of the newest snapshot that this owner has stored, and the time to look for it.
  var storedSnapshot: UInt64?
  var nextLook = MonotonicInstant(nanoseconds: 0)
  /// The time since which the own placement excludes this node, while it owns the log.
  private var excludedSince: MonotonicInstant?
  /// True once the owner was asked to hand over, or has said that it cannot.
  private var isExclusionNoted = false
  /// True while this node may own the log, though a reload has excluded it, until another one is there that may.
  private var isInterim = false
  /// The stream of the log as this process knows it, and the time to look for it.
  var watch = StreamWatch()
  var nextWatch = MonotonicInstant(nanoseconds: 0)
  /// True while the log has to be read from its beginning once the present outputs are handled.
  var mustRestart = false

  /// The time between attempts to create the streams.
  private static let creationPause = Duration.seconds(1)

  init(_ home: Home, graph: String, _ placement: ClusterPlacement, in node: ClusterNode) {
    (self.home, self.graph, self.placement, self.node) = (home, graph, placement, node)
    name = LogName(graph: graph)
    form = JetStreamLog(
      JetStreamNames(prefix: node.settings.prefix, log: name), replicas: node.settings.replicas)
    ownership = Ownership(name, Self.opening(node), at: node.now)
    toldBefore = node.hub.resumedLogs.removeValue(forKey: home) ?? 0
    followed = Self.follow(home, node, told: toldBefore)
    link = SendLink(boot: node.boot)
    noteEligibility()
    followed.restartSignals = { [hub = node.hub] in hub.restartSignals($0) }
    if node.isConnected { createStreams() }
  }

  private static func opening(_ node: ClusterNode) -> OpenRecord {
    OpenRecord(
      node: node.name, boot: node.boot, reason: .start, program: programVersionText, format: 1, configuration: 0,
      signals: [])
  }

  private static func follow(_ home: Home, _ node: ClusterNode, told: UInt64) -> FollowedGraphs {
    FollowedGraphs(at: home, main: node.hub.runtime, under: node.stored().configuration, told: told)
  }

  var now: Instant { node.now }
  var isOwner: Bool { ownership.log.isOwner && commits != nil }

  private func noteEligibility() {
    ownership.isEligible =
      (placement.includes(node.name) || isInterim) && fault == nil && hasStreams && !node.isEnding && !node.isNameTaken
  }

  // MARK: Events

  func connectionChanged() {
    readers = [:]
    ownerSubscription = nil
    guard node.isConnected else { return }
    nextWatch = node.clock.now
    guard hasStreams else { return createStreams() }
    listenAsOwner()
    perform(ownership.connected(at: now))
  }

  /// Creates the streams of the log, which changes nothing if they exist.
  private func createStreams() {
    creation = node.clock.now + Self.creationPause
    var missing = form.creations.count
    for (place, request) in form.creations.enumerated() {
      node.request(request) { [weak self] message in
        guard let self, !hasStreams else { return }
        if let error = JetStreamLog.error(in: message) { return note(error, "cannot create the streams") }
        guard message.status == nil else { return }
        if place == 0, case .stream(let created, _)? = JetStreamLog.report(message) { watch.accept(created: created) }
        missing -= 1
        if missing == 0 { begin() }
      }
    }
  }

  /// Creates the streams again, as this node knows no record of the log.
  func renewStreams() {
    (hasStreams, watch) = (false, StreamWatch())
    noteEligibility()
    createStreams()
  }

  private func begin() {
    (hasStreams, refusal) = (true, nil)
    noteEligibility()
    perform(ownership.follow(at: now))
  }

  func heard(_ heartbeat: NodeHeartbeat) { perform(ownership.heard(heartbeat, at: now)) }

  func timePassed() {
    if node.isConnected, !hasStreams, node.clock.now >= creation { createStreams() }
    perform(ownership.timePassed(node.roster, time: WallTime.now().microseconds, at: now))
    perform(link.timePassed(at: now))
    if hasCaughtUp { node.hub.beginAwaited(in: home) }
    noteAbsence()
    noteExclusion()
    guard node.isConnected else { return }
    if hasStreams, fault == nil, node.clock.now >= nextWatch { lookForStream() }
    guard node.clock.now >= nextLook else { return }
    if isOwner { lookForSnapshot() } else if fault?.kind == .damaged { lookForRepair() }
  }

  var deadline: Instant { min(ownership.deadline(node.roster, at: now), link.deadline) }

  /// Lets the owned graphs refuse inputs while the servers take no commits.
  private func noteAbsence() {
    guard let writer else { return }
    let reason = node.unavailability ?? (writer.isStalled(at: node.clock.now) ? "the servers take no commits" : nil)
    writer.setAway(reason.map { StorageError(.away, "graph \"\(graph)\": \($0)") })
  }

  /// The time for the reload that excludes this node to be stored.
  private static let (exclusionPause, exclusionPatience) = (Duration.milliseconds(200), Duration.seconds(2))

  /// Hands the graph over once a reload has excluded this node from those that may run it.
  private func noteExclusion() {
    guard let commits, isOwner, !placement.includes(node.name) else {
      return (excludedSince, isExclusionNoted) = (nil, false)
    }
    let duration = node.clock.now - (excludedSince ?? node.clock.now)
    excludedSince = excludedSince ?? node.clock.now
    guard duration >= Self.exclusionPatience || duration >= Self.exclusionPause && commits.graphs.isIdle else { return }
    let next = node.roster.successor(for: name, at: now) { [placement] in placement.includes($0) }
    if let next, ownership.log.isOpen {
      node.log.notice(
        "graph \(graph): this node may not run it any more, and hands it over to node \(next)", ("graph", graph))
      isInterim = false
      giveUp(to: next)
    } else if next == nil, !isExclusionNoted {
      isExclusionNoted = true
      node.log.warning("graph \(graph): \(Self.exclusion)", ("graph", graph))
    }
  }

  private static let exclusion = "this node may not run it any more, and does so until one that may is there"

  func note(_ error: JetStreamError, _ action: String) {
    refusal = "\(action): \(error.description)"
    if loggedError == error.code { return }
    loggedError = error.code
    node.log.error("graph \(graph): \(action): \(error.description)", ("graph", graph))
  }

  /// The reason that the graph is not run or followed here as it should be; `nil` if it is.
  var reason: String? {
    if let fault { return "\(fault)" }
    if let absence = node.absence { return absence }
    if isOwner { return writer?.progress.failure.map { "\($0)" } ?? (isExclusionNoted ? Self.exclusion : nil) }
    return hasStreams ? nil : refusal
  }

  // MARK: Ends

  /// Ends the own term while another daemon has the name of this node.
  func nameChanged() {
    if node.isNameTaken { giveUp() } else { noteEligibility() }
  }

  /// Ends the own term in favour of another node, once everything is stored.
  ///
  /// - Parameter next: The node that continues; `nil` for the one that should own the log then.
  func giveUp(to next: String? = nil) {
    noteEligibility()
    guard ownership.log.isOwner else { return }
    let successor = next ?? node.roster.successor(for: name, at: now) { [placement] in placement.includes($0) }
    perform(ownership.close(successor: successor, time: WallTime.now().microseconds, at: now))
  }

  /// Stops following and owning the log.
  func close() {
    stopReading()
    if let epoch = node.hub.epochs.homes[home], toldCommit > 0 { node.hub.leftLogs[home] = (epoch, toldCommit) }
    endTerm(because: StorageError(.fenced, "graph \"\(graph)\" is no longer clustered"))
    for (_, ended) in pending.sorted(by: { $0.key < $1.key }) { ended(.unknown) }
    pending = [:]
    sends.endAll(StorageError(.away, "graph \"\(graph)\" is no longer clustered"))
  }

  private func stopReading() {
    reading += 1
    for number in readers.values { node.unsubscribe(number) }
    readers = [:]
  }

  /// Reads a log that has replaced a damaged one, or that is there again.
  func continueAfterRepair(_ finding: String = "its log was repaired") {
    (fault, damagedEpoch, hasCaughtUp) = (nil, nil, false)
    watch.beginAnew()
    node.log.notice("graph \(graph): \(finding), and is read again", ("graph", graph))
    node.publish(["event": "repaired", "graph": .string(graph)])
    restart()
  }

  /// Reads the log from its newest snapshot: what this node has computed itself is void.
  func restart() {
    mustRestart = false
    stopReading()
    let told = max(toldBefore, followed.told)
    ownership = Ownership(name, Self.opening(node), after: ownership.opened, at: now)
    noteEligibility()
    followed = Self.follow(home, node, told: told)
    followed.restartSignals = { [hub = node.hub] in hub.restartSignals($0) }
    perform(ownership.follow(at: now))
  }

  /// Ends the runtime of the own term.
  func endTerm(because error: StorageError) {
    if let number = ownerSubscription.take() { node.unsubscribe(number) }
    (term, storedSnapshot) = (nil, nil)
    receivers = [:]
    guard let commits = commits.take(), let writer = writer.take() else { return }
    commits.graphs.releaseCommitted()
    toldBefore = writer.progress.written
    writer.end(error)
    commits.graphs.releaseCommitted()
    node.hub.remove(home)
    commits.end()
  }

  /// Logs and publishes a change of the owner, once its opening was read.
  func noteOwner() {
    guard hasCaughtUp, let owner = isOwner ? (node: node.name, term: term ?? 0) : ownership.owner,
      owner.term > notedTerm, isOwner || ownership.log.cursor?.term ?? 0 >= owner.term
    else { return }
    notedTerm = owner.term
    let place = owner.node == node.name ? "this node" : "node \(owner.node)"
    if owner.node != node.name { isInterim = false }
    noteEligibility()
    // A node that begins behind a snapshot has not seen the opening before it.
    let reason = ownership.opened.flatMap { $0.term == owner.term ? $0.reason : nil }
    node.log.notice("graph \(graph) runs on \(place)\(reason.map { ": \($0.text)" } ?? "")", ("graph", graph))
    var event: JSONObject = [
      "event": "owner", "graph": .string(graph), "owner": .string(owner.node), "term": .number(Double(owner.term)),
    ]
    if let reason { event["reason"] = .string(reason.word) }
    node.publish(event)
  }
}
