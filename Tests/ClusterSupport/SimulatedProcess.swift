internal import Cluster
internal import ReactiveCore
internal import StateLog

/// A process of a simulated node: a durable graph behind the state machines of its log.
final class SimulatedProcess {
  private unowned let node: SimulatedNode
  private let boot: String
  private var roster: NodeRoster
  private var ownership: Ownership
  private var readers: [ReaderID: Int] = [:]
  private(set) var graph = SimulatedGraph()
  /// The last commit told, to find gaps.
  private var told: UInt64 = 0
  private(set) var damage: LogDamage?
  /// The messages that the owner has accepted, and has not committed.
  private var accepted: [(message: Int, from: String)] = []
  /// The commit under way.
  private var underway: (commit: Commit, senders: [(message: Int, from: String)])?
  private var term: UInt64?
  private var commitsSinceSnapshot = 0
  private var timer = Instant.distantFuture
  /// The appends that were sent, for a mutation.
  private var sent: Set<RequestID> = []

  private var cluster: SimulatedCluster { node.cluster }
  private var time: SimulatedTime { cluster.time }
  private var now: Instant { cluster.time.now }
  var isOwner: Bool { ownership.log.isOwner }

  init(_ node: SimulatedNode, boot: String) {
    self.node = node
    self.boot = boot
    roster = NodeRoster(node: node.name, boot: boot)
    let opening = OpenRecord(
      node: node.name, boot: boot, reason: .start, program: "1", format: 1, configuration: 0, signals: [])
    ownership = Ownership(SimulatedCluster.log, opening, node.cluster.limits, at: node.cluster.time.now)
  }

  func start() {
    if node.isConnected { roster.connected(at: now) }
    perform(ownership.follow(at: now))
    beat()
    setTimer()
  }

  func end() { for reader in readers.values { cluster.stream.stop(reader) } }

  // MARK: Events

  func connectionChanged() {
    if node.isConnected {
      roster.connected(at: now)
    } else {
      roster.disconnected()
      for reader in readers.values { cluster.stream.stop(reader) }
      readers = [:]
    }
  }

  /// Takes a heartbeat of another node.
  func heard(_ heartbeat: NodeHeartbeat) {
    roster.heard(heartbeat, at: now)
    perform(ownership.heard(heartbeat, at: now))
  }

  /// Takes a message for the owner of a term.
  func take(_ message: Int, from sender: String, term: UInt64) {
    guard isOwner, self.term == term else { return }
    if graph.messages.contains(message) { return cluster.kept(message, for: sender, by: node) }
    if accepted.contains(where: { $0.message == message }) { return }
    if underway?.senders.contains(where: { $0.message == message }) == true { return }
    accepted.append((message, sender))
    commit()
  }

  /// The owner that this node knows.
  var owner: (node: String, term: UInt64)? {
    if let term, isOwner { return (node.name, term) }
    return ownership.owner
  }

  func close(successor: String?) {
    accepted = []
    perform(ownership.close(successor: successor, time: 0, at: now))
  }

  func probe(term: UInt64) -> Bool { self.term == term }

  func setTimer() {
    let deadline = max(ownership.deadline(roster, at: now), now)
    guard deadline < timer || timer <= now, deadline < .distantFuture else { return }
    timer = deadline
    time.schedule(at: deadline) { [weak self] in
      guard let self, timer == deadline else { return }
      node.happen(in: self) { process in
        process.timer = .distantFuture
        process.perform(process.ownership.timePassed(process.roster, time: 0, at: process.now))
      }
    }
  }

  private func beat() {
    time.schedule(after: NodeHeartbeat.interval) { [weak self] in
      guard let self else { return }
      node.happen(in: self) { $0.publishHeartbeat() }
      beat()
    }
  }

  private func publishHeartbeat() {
    let owned = ownership.owned.map { [$0] } ?? []
    cluster.publish(
      NodeHeartbeat(node: node.name, boot: boot, program: "1", time: 0, owned: owned), from: node)
  }

  // MARK: Outputs

  private func perform(_ outputs: [Ownership.Output]) {
    for output in outputs {
      switch output {
      case .log(let output): perform(output)
      case .probe(let term):
        cluster.probe(term, from: node) { [weak self] isAnswered in
          guard let self else { return }
          node.happen(in: self) { $0.ownership.probed(term: term, isAnswered: isAnswered, at: $0.now) }
        }
      }
    }
  }

  private func perform(_ output: StreamLog.Output) {
    switch output {
    case .stream(let action): perform(action)
    case .recovered(let snapshot):
      if snapshot != nil { cluster.note(graph.number > 0 ? .overtaken : .recovered) }
      graph = snapshot.map(SimulatedGraph.init) ?? SimulatedGraph()
      told = graph.number
    case .read(.committed(let commit, _), let sequence): read(commit, sequence)
    case .claimed(let term): self.term = term
    case .began: commit()
    case .committed(let number, let sequence): committed(number, sequence)
    case .fenced(let dropped, let message):
      cluster.note(underway == nil ? .fencedIdle : message == nil ? .purgedUnderway : .dropped)
      for number in dropped { cluster.truth.dropped(number, term: term ?? 0) }
      term = nil
      accepted = []
      underway = nil
    case .closed:
      cluster.note(.closed)
      term = nil
    case .damaged(let damage):
      self.damage = damage
      if !cluster.losesRecords { cluster.truth.violate("\(node.name) reports \(damage)") }
    case .claimRefused: cluster.note(.claimRefused)
    case .snapshotTaken: cluster.note(.snapshotTaken)
    case .read: break
    }
  }

  private func perform(_ action: StreamAction) {
    switch action {
    case .stopReader(let id): if let reader = readers.removeValue(forKey: id) { cluster.stream.stop(reader) }
    case .startReader(let id, let from):
      guard node.isConnected else { return }
      readers[id] = cluster.stream.read(from: from) { [weak self] message in
        guard let self, node.isConnected else { return }
        node.happen(in: self) { $0.perform($0.ownership.delivered(message, to: id, at: $0.now)) }
      } heartbeat: { [weak self] delivered in
        guard let self, node.isConnected else { return }
        node.happen(in: self) { $0.perform($0.ownership.heard(id, delivered: delivered, at: $0.now)) }
      }
    case .request(let id, let request):
      guard node.isConnected else { return }
      let request = mutated(id, request)
      if cluster.mutation == .unlooked, case .message(let sequence) = request, isOwner {
        return reply(id, .message(StoredMessage(sequence: sequence, bytes: [])))
      }
      cluster.stream.submit(request) { [weak self] reply in
        guard let self, node.isConnected else { return }
        self.reply(id, reply)
      }
    }
  }

  private func reply(_ id: RequestID, _ reply: StreamReply) {
    node.happen(in: self) { process in
      let outputs = process.ownership.replied(to: id, reply, at: process.now)
      if case .message = reply, outputs.contains(where: { if case .log(.committed) = $0 { true } else { false } }) {
        process.cluster.note(.ownFound)
      }
      process.perform(outputs)
    }
  }

  // MARK: Commits

  private func commit() {
    guard isOwner, underway == nil, !accepted.isEmpty, ownership.log.cursor?.number == graph.number else { return }
    let senders = accepted
    accepted = []
    let commit = graph.commit(of: senders.map(\.message))
    underway = (commit, senders)
    perform(ownership.append(commit, told: commit.entries, at: now))
  }

  private func read(_ commit: Commit, _ sequence: UInt64) {
    if cluster.mutation == .unread, term != nil {
      graph.skip(commit)
      told = commit.number
      return
    }
    apply(commit)
    tell(commit, sequence)
  }

  private func committed(_ number: UInt64, _ sequence: UInt64) {
    guard let (commit, senders) = underway, commit.number == number else {
      return cluster.truth.violate("\(node.name) has committed \(number), which is not under way")
    }
    underway = nil
    apply(commit)
    if cluster.mutation != .early { tell(commit, sequence) }
    for (message, sender) in senders { cluster.kept(message, for: sender, by: node) }
    commitsSinceSnapshot += 1
    if commitsSinceSnapshot >= cluster.snapshotInterval {
      commitsSinceSnapshot = 0
      perform(ownership.append(graph.snapshot, at: now))
    }
    self.commit()
  }

  private func apply(_ commit: Commit) {
    if !graph.apply(commit) { cluster.truth.violate("\(node.name) diverged at commit \(commit.number)") }
  }

  private func tell(_ commit: Commit, _ sequence: UInt64) {
    if commit.number != told + 1 {
      cluster.truth.violate("\(node.name) told commit \(commit.number) after \(told)")
    }
    told = commit.number
    cluster.truth.told(commit, sequence: sequence, by: node.name)
  }

  // MARK: Mutations

  private func mutated(_ id: RequestID, _ request: StreamRequest) -> StreamRequest {
    guard case .append(.commit, let bytes, let after) = request else { return request }
    let isRepeated = !sent.insert(id).inserted
    if isRepeated { cluster.note(.repeated) }
    switch cluster.mutation {
    case .early:
      if !isRepeated, let commit = underway?.commit { tell(commit, after + 1) }
    case .rewritten where isRepeated:
      if let record = try? LogRecord(bytes), case .commit(var part) = record.content {
        part.time += 1
        return .append(
          .commit, LogRecord(term: record.term, chain: record.chain, time: part.time, .commit(part)).bytes, after: after
        )
      }
    default: break
    }
    return request
  }
}
