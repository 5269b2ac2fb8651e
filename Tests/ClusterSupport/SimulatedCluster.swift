internal import Cluster
internal import Signals

/// Three nodes, their clients and the streams of one log, in virtual time and with faults by seed.
package final class SimulatedCluster {
  static let log = LogName(graph: "alarms")

  let time = SimulatedTime()
  let stream: SimulatedStream
  let truth: LogTruth
  let limits: StreamLogLimits
  let mutation: Mutation?
  /// True if the stream loses what it has acknowledged, so that nodes have to find damage.
  let losesRecords: Bool
  package private(set) var incidents: Set<Incident> = []
  let snapshotInterval: Int
  private var chance: SimulatedChance
  private var nodes: [SimulatedNode] = []
  /// The messages that clients repeat until they are kept, with the node that each client talks to.
  private var unanswered: [Int: SimulatedNode] = [:]
  private var lastMessage = 0
  /// The messages that a client has sent more than once.
  private var repeated: Set<Int> = []
  /// The messages of each process's link, in its order.
  private var links: [String: [Int]] = [:]
  private var isHealed = false
  var isDamageReported = false
  /// True once clients send nothing new.
  private var isQuiet = false

  package init(seed: Int, mutation: Mutation? = nil, losesRecords: Bool = false) {
    self.mutation = mutation
    self.losesRecords = losesRecords
    truth = LogTruth(losesRecords: losesRecords)
    chance = SimulatedChance(seed: seed)
    stream = SimulatedStream(
      time: time, chance: SimulatedChance(seed: seed &* 7919 &+ 1), malice: .random(&chance))
    stream.ignoresExpectations = mutation == .unfenced
    var limits = StreamLogLimits()
    limits.partSize = chance.number(3...40)
    limits.chunkSize = chance.number(5...60)
    if losesRecords { limits.patience = .seconds(15) }
    self.limits = limits
    snapshotInterval = chance.number(2...12)
    nodes = ["attic", "cellar", "kitchen"].map { SimulatedNode($0, self) }
    for node in nodes { node.isFormer = chance.happens(250) }
    stream.onStored = { [unowned self] in truth.stored($0) }
  }

  // MARK: A round

  /// Runs clients and faults for a while, then mends everything, and waits until all nodes agree.
  ///
  /// - Returns: The first violation.
  package func run() -> String? {
    for node in nodes { node.start() }
    let end = Instant.zero + chance.milliseconds(8_000...25_000)
    scheduleClient()
    scheduleFault(until: end)
    while time.now < end, truth.violation == nil { time.run(until: time.now + .milliseconds(500)) }
    heal()
    if losesRecords { return violationAfterLoss() }
    let limit = time.now + .seconds(90)
    while time.now < limit, truth.violation == nil, !isSettled { time.run(until: time.now + .milliseconds(500)) }
    if let violation = truth.violation ?? disorder { return violation }
    return isSettled ? nil : "not settled after 90 s: \(unsettled)"
  }

  /// Lets nodes find what was lost, while clients go on: each owner, and each that claims after it, searches for a while.
  private func violationAfterLoss() -> String? {
    time.run(until: time.now + limits.patience * 3 + .seconds(30))
    isQuiet = true
    time.run(until: time.now + .seconds(5))
    if let violation = truth.violation { return violation }
    // Behind lost sequences that an owner has used again there are two histories: one node has to say so.
    if truth.isDamaged { return isDamageReported ? nil : "the log is damaged, and no node has said so" }
    for node in nodes {
      guard let process = node.process, process.damage == nil else { continue }
      if !truth.contains(process.graph) { return "\(node.name) is at \(process.graph.number), which is not in the log" }
    }
    return nil
  }

  func note(_ incident: Incident) {
    incidents.insert(incident)
    if nodes.count(where: { $0.process?.isOwner == true }) > 1 { incidents.insert(.twoOwners) }
  }

  private var isSettled: Bool { unanswered.isEmpty && nodes.allSatisfy { $0.process?.graph.number == truth.number } }

  private var unsettled: String {
    let states = nodes.map {
      "\($0.name) at \($0.process?.graph.number ?? 0)\($0.process?.isOwner == true ? " (owner)" : "")"
    }
    return "\(unanswered.count) messages unanswered, log at \(truth.number), " + states.joined(separator: ", ")
  }

  private func heal() {
    isHealed = true
    isQuiet = !losesRecords
    stream.malice = .none
    for node in nodes {
      node.resume()
      node.connect()
      node.start()
    }
  }

  // MARK: Clients

  private func scheduleClient() {
    time.schedule(after: chance.milliseconds(20...1_500)) { [unowned self] in
      if isQuiet { return }
      for _ in 0..<chance.number(1...3) {
        lastMessage += 1
        unanswered[lastMessage] = nodes[chance.number(0...2)]
        send(lastMessage)
      }
      scheduleClient()
    }
  }

  /// Sends a message of a client to its node, and to another process if that one ends.
  private func send(_ message: Int) {
    guard let node = unanswered[message] else { return }
    node.happen { $0.send(message) }
    watch(message, at: node, node.process)
  }

  private func watch(_ message: Int, at node: SimulatedNode, _ process: SimulatedProcess?) {
    time.schedule(after: chance.milliseconds(300...1_500)) { [unowned self, weak process] in
      guard unanswered[message] != nil, nodes.contains(where: { $0.process?.damage == nil }) else { return }
      if let process, process === node.process { return watch(message, at: node, process) }
      repeatLater(message)
    }
  }

  /// Has a client send a message again, perhaps to another node.
  func repeatLater(_ message: Int) {
    guard unanswered[message] != nil else { return }
    repeated.insert(message)
    unanswered[message] = nodes[chance.number(0...2)]
    time.schedule(after: chance.milliseconds(1...1_000)) { [unowned self] in send(message) }
  }

  /// Takes note that a client was told that its message is kept.
  func kept(_ message: Int) {
    truth.kept(message)
    unanswered[message] = nil
  }

  /// Takes note of the order in which a link has taken messages.
  func ordered(_ message: Int, in link: String) { links[link, default: []].append(message) }

  /// The first violation of the order of a link, among the messages that clients have sent once.
  private var disorder: String? {
    for (link, messages) in links {
      let places = messages.filter { !repeated.contains($0) }.compactMap { truth.place(of: $0) }
      if places != places.sorted() { return "the messages of \(link) are not in order" }
    }
    return nil
  }

  // MARK: Messages between nodes

  func transmit(
    from sender: SimulatedNode, to receiver: SimulatedNode, _ event: @escaping (SimulatedProcess) -> Void
  ) {
    if sender === receiver { return time.schedule(after: .zero) { receiver.happen(event) } }
    guard sender.isConnected, isHealed || !chance.happens(20) else { return }
    let delay = isHealed || !chance.happens(20) ? chance.milliseconds(0...4) : chance.milliseconds(50...4_000)
    time.schedule(after: delay) {
      if receiver.isConnected { receiver.happen(event) }
    }
  }

  /// Sends to the owner of a term: its subject contains the term, so that no other process receives it.
  func transmit(_ request: [UInt8], from sender: SimulatedNode, term: UInt64) {
    guard let owner = nodes.first(where: { $0.process?.probe(term: term) == true }) else { return }
    transmit(from: sender, to: owner) { $0.take(request, from: sender, term: term) }
  }

  func publish(_ heartbeat: NodeHeartbeat, from sender: SimulatedNode) {
    for node in nodes where node !== sender { transmit(from: sender, to: node) { $0.heard(heartbeat) } }
  }

  /// Asks the owner of a term for a sign of life; a server knows at once if nothing listens.
  func probe(_ term: UInt64, from sender: SimulatedNode, reply: @escaping (Bool) -> Void) {
    guard sender.isConnected else { return }
    let listener = nodes.first { $0.isConnected && $0.process?.probe(term: term) == true }
    guard let listener else {
      time.schedule(after: .milliseconds(1)) { reply(false) }
      return
    }
    transmit(from: sender, to: listener) { [unowned self] _ in transmit(from: listener, to: sender) { _ in reply(true) }
    }
  }

  // MARK: Faults

  private func scheduleFault(until end: Instant) {
    time.schedule(after: chance.milliseconds(100...5_000)) { [unowned self] in
      guard time.now < end, !isHealed else { return }
      inflictFault()
      scheduleFault(until: end)
    }
  }

  private func inflictFault() {
    if losesRecords, chance.happens(200) {
      stream.loseTail(chance.number(1...4))
      truth.lost(stream.records)
      return
    }
    let node = nodes[chance.number(0...2)]
    switch chance.number(0...9) {
    case 0, 1:
      node.kill()
      time.schedule(after: chance.milliseconds(1...5_000)) { node.start() }
    case 2, 3:
      node.pause()
      time.schedule(after: chance.milliseconds(50...6_000)) { node.resume() }
    case 4, 5:
      node.disconnect()
      time.schedule(after: chance.milliseconds(50...5_000)) { node.connect() }
    case 6: stream.goAway(for: chance.milliseconds(100...7_000))
    case 7, 8: stream.makeStale(chance.number(0...2), for: chance.milliseconds(500...12_000))
    default:
      let successor = chance.happens(700) ? nodes[chance.number(0...2)].name : nil
      node.happen { $0.close(successor: successor) }
    }
  }
}
