internal import Cluster
internal import Signals
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
  private var link: SendLink
  /// The messages of the link, by their numbers there.
  private var sends: [UInt64: Int] = [:]
  /// The links of all nodes' processes, as the owner of this term receives them.
  private var receivers: [String: LinkReceiver] = [:]
  /// The messages that the owner has accepted, and has not committed.
  private var accepted: [AcceptedSend] = []
  /// The commit under way.
  private var underway: (commit: Commit, sends: [AcceptedSend])?
  private var toldSequence: UInt64 = 0

  private struct AcceptedSend {
    let message: Int
    let boot: String
    let number: UInt64
    /// The answers to its request; `nil` for a mutation.
    let gathering: AnswerGathering?
  }

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
    link = SendLink(boot: boot)
    let opening = OpenRecord(
      node: node.name, boot: boot, reason: .start, program: "1", format: 1, configuration: 0, signals: [])
    ownership = Ownership(SimulatedCluster.log, opening, node.cluster.limits, at: node.cluster.time.now)
  }

  func start() {
    if node.isConnected { roster.connected(at: now) }
    perform(ownership.follow(at: now))
    beat()
    settle()
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

  /// Takes a message of a client.
  func send(_ message: Int) {
    let number = link.send(SimulatedGraph.bytes(of: [message]), message: "\(message)", at: now)
    sends[number] = message
    cluster.ordered(message, in: boot)
    time.schedule(after: .milliseconds(1)) { [weak self] in
      guard let self else { return }
      node.happen(in: self) { $0.perform($0.link.flush(at: $0.now)) }
    }
  }

  /// Takes sends of a link that are addressed to the owner of a term.
  func take(_ bytes: [UInt8], from sender: SimulatedNode, term: UInt64) {
    guard self.term == term, var request = OwnerRequest(bytes) else { return }
    if request.sends.count > 1 { cluster.note(.sentTogether) }
    if node.isFormer {
      if request.takesList { cluster.note(.sentToFormer) }
      request = OwnerRequest(node: request.node, boot: request.boot, sends: [request.sends[0]], takesList: false)
    }
    let gathering = AnswerGathering(to: request) { [unowned self] in
      answer($0.bytes, to: sender, boot: request.boot, first: request.sends[0].number, term: term)
    }
    for (place, send) in request.sends.enumerated() {
      take(send, of: request.boot, gathering, isPresumed: place > 0 && cluster.mutation == .presumed)
    }
  }

  private func take(_ send: ForwardedSend, of boot: String, _ gathering: AnswerGathering, isPresumed: Bool) {
    guard let message = SimulatedGraph.messages(in: send.request).first else { return }
    guard isOwner else { return gathering.add(send.number, .again) }
    let accepted = AcceptedSend(
      message: message, boot: boot, number: send.number, gathering: isPresumed ? nil : gathering)
    switch receivers[boot, default: LinkReceiver()].arrived(send) {
    case .take:
      if isPresumed { gathering.add(send.number, .kept(value: nil, isDuplicate: false, sequence: toldSequence)) }
      take(accepted)
    case .answer(.again) where cluster.mutation == .unordered: take(accepted)
    case .answer(let answer): gathering.add(send.number, answer)
    case .wait: gathering.leaveOut()
    }
  }

  private func take(_ send: AcceptedSend) {
    accepted.append(send)
    commit()
  }

  /// Answers the accepted messages that are in the log already.
  private func concludeDuplicates() {
    guard cluster.mutation != .forgetful else { return }
    let duplicates = accepted.filter { graph.messages.contains($0.message) }
    accepted.removeAll { graph.messages.contains($0.message) }
    for send in duplicates { conclude(send, .kept(value: nil, isDuplicate: true, sequence: toldSequence)) }
  }

  private func conclude(_ send: AcceptedSend, _ answer: SendAnswer) {
    receivers[send.boot]?.answered(send.number, answer)
    send.gathering?.add(send.number, answer)
  }

  private func answer(_ bytes: [UInt8], to sender: SimulatedNode, boot: String, first: UInt64, term: UInt64) {
    cluster.transmit(from: node, to: sender) { process in
      guard process.boot == boot, let answers = AnswerList(bytes, toFirst: first) else { return }
      if answers.isList, process.node.isFormer {
        process.cluster.truth.violate("\(process.node.name) of an earlier version is answered with a list")
      }
      process.perform(process.link.answered(answers, term: term, at: process.now))
    }
  }

  private func perform(_ outputs: [SendLink.Output]) {
    for output in outputs {
      switch output {
      case .transmit(let sends, let term):
        let request = OwnerRequest(node: node.name, boot: boot, sends: sends, takesList: !node.isFormer)
        cluster.transmit(request.bytes, from: node, term: term)
      case .ended(let number, let outcome):
        guard let message = sends.removeValue(forKey: number) else {
          cluster.truth.violate("\(node.name) ended a send twice")
          continue
        }
        if case .kept = outcome { cluster.kept(message) } else { cluster.repeatLater(message) }
      }
    }
  }

  /// The owner that this node knows.
  private var ownerTerm: UInt64? { isOwner ? term : ownership.owner?.term }

  func close(successor: String?) {
    accepted = []
    perform(ownership.close(successor: successor, time: 0, at: now))
  }

  func probe(term: UInt64) -> Bool { self.term == term }

  /// Concludes an event.
  func settle() {
    perform(link.ownerChanged(term: ownerTerm, at: now))
    setTimer()
  }

  private func setTimer() {
    let deadline = max(min(ownership.deadline(roster, at: now), link.deadline), now)
    guard deadline < timer || timer <= now, deadline < .distantFuture else { return }
    timer = deadline
    time.schedule(at: deadline) { [weak self] in
      guard let self, timer == deadline else { return }
      node.happen(in: self) { process in
        process.timer = .distantFuture
        process.perform(process.ownership.timePassed(process.roster, time: 0, at: process.now))
        process.perform(process.link.timePassed(at: process.now))
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
    case .recovered(let snapshot, _):
      if snapshot != nil { cluster.note(graph.number > 0 ? .overtaken : .recovered) }
      graph = snapshot.map(SimulatedGraph.init) ?? SimulatedGraph()
      told = graph.number
    case .read(.committed(let commit, _), let sequence): read(commit, sequence)
    case .claimed(let term):
      self.term = term
      receivers = [:]
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
      cluster.isDamageReported = true
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
      if let asked = readers[id] { cluster.stream.stop(asked) }
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
    guard isOwner, underway == nil, ownership.log.cursor?.number == graph.number else { return }
    concludeDuplicates()
    if accepted.isEmpty { return }
    var messages: [Int] = []
    for send in accepted where !messages.contains(send.message) { messages.append(send.message) }
    let commit = graph.commit(of: messages)
    underway = (commit, accepted)
    accepted = []
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
    guard let (commit, sends) = underway, commit.number == number else {
      return cluster.truth.violate("\(node.name) has committed \(number), which is not under way")
    }
    underway = nil
    apply(commit)
    if cluster.mutation != .early { tell(commit, sequence) }
    for send in sends { conclude(send, .kept(value: nil, isDuplicate: false, sequence: sequence)) }
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
    toldSequence = sequence
    perform(link.told(sequence, at: now))
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
