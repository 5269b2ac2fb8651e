import Base
import GraphModel
import Linux
import Signals
import WireProtocol
import World

/// The limits of a connection.
struct ConnectionLimits {
  let line: Int
  let output: Int
  let unfinished: Duration
  let client: ClientLimits

  init(_ limits: Limits) {
    line = limits.line
    output = limits.output
    unfinished = limits.unfinished
    client = limits.client
  }
}

/// All connections and what they share: the poller, the buffers of an iteration, and the check of deadlines.
final class Connections {
  let poller: Poller
  let iteration: LoopIteration
  let log: Log
  /// The buffer that all connections read into.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
  let ledger: Ledger
  let dispatcher: Dispatcher
  let clock: IterationClock
  private(set) var limits: ConnectionLimits
  let clientReports = ClientReports()
  private let deadlines: Deadlines
  private var lastIdentifier = 0
  private let loop: EventLoop
  /// The connections, including disconnected ones with input that is still to be handled.
  private var all: [ObjectIdentifier: Connection] = [:]
  private var doomed: [Connection] = []
  /// The connections with waiting input, in serving order.
  private var resuming = FirstInFirstOut<Connection>()
  private var willResume = false
  /// The time that they have together in an iteration.
  private static let share = Duration.milliseconds(10)
  private var drops = Repetition()

  init(
    loop: EventLoop, poller: Poller, iteration: LoopIteration, ledger: Ledger, dispatcher: Dispatcher,
    log: Log
  ) throws(Errno) {
    self.loop = loop
    self.poller = poller
    self.iteration = iteration
    clock = iteration.clock
    self.ledger = ledger
    self.dispatcher = dispatcher
    self.log = log
    limits = ConnectionLimits(ledger.limits)
    deadlines = try Deadlines(loop: loop, clock: clock)
    deadlines.look = { [unowned self] in closeOverdue() }
    ledger.largestQueue = { [weak self] in self?.largestQueue(of: $0) }
  }

  deinit {
    readBuffer.deallocate()
  }

  /// The number of clients.
  private(set) var count = 0
  var isEmpty: Bool { all.isEmpty }

  /// The number of clients refused so far.
  private var turnedAway: UInt64 = 0

  func noteTurnedAway() { turnedAway += 1 }

  var census: ClientCensus {
    let sessions = all.values.lazy.map(\.session)
    return ClientCensus(
      count: count, turnedAway: turnedAway, largestOutput: sessions.map(\.sendBuffer.heldBytes).max() ?? 0,
      mostSubscriptions: sessions.map(\.subscriptionCount).max() ?? 0)
  }

  /// Adds a client.
  func open(_ socket: consuming OwnedDescriptor, session: Session, account: Account) throws(Errno) {
    let connection = Connection(socket, session: session, account: account, connections: self)
    try connection.open()
    all[ObjectIdentifier(connection)] = connection
    count += 1
  }

  /// Notes that a client has disconnected, though its connection may remain for a while.
  func didDisconnect() { count -= 1 }

  func apply(_ limits: Limits) {
    ledger.limits = limits
    self.limits = ConnectionLimits(limits)
    deadlines.remove()
    for connection in all.values {
      connection.apply(self.limits)
      watch(connection.deadline)
    }
  }

  /// The greatest length of a line of a client; an adapter's has the body of an answer in it.
  func lineLimit(for session: Session) -> Int {
    let adapters = dispatcher.hub.adapters
    if adapters.isEmpty || adapters[session] == nil { return limits.line }
    return max(limits.line, dispatcher.network.longestLine)
  }

  /// Ends all calls with an error.
  func endCalls(because error: WireError) {
    for connection in all.values { connection.session.endCalls(because: error) }
  }

  /// Writes the committed output of every client, and closes.
  func finish(within patience: Duration) {
    for connection in all.values { connection.finish(within: patience) }
  }

  /// Closes every connection now, including those queued to be closed or resumed: each retains this object.
  func closeAll() {
    for connection in all.values { connection.close() }
    doomed = []
    resuming = FirstInFirstOut()
    iteration.end()
  }

  // MARK: Iterations

  /// Writes the output of the iteration, once for each connection, then closes those that are done.
  func endIteration() {
    repeat {
      clientReports.report()
      iteration.flush()
      closeDoomed()
      closeLargest()
    } while !clientReports.isEmpty
    iteration.end()
  }

  /// Disconnects clients until the memory limit is respected.
  private func closeLargest() {
    while ledger.isExhausted, let largest = all.values.max(by: { $0.heldBytes < $1.heldBytes }) {
      largest.reportDisconnection(
        .warning, "limits.memory exceeded: disconnected the client with the most memory", .memory)
      largest.close()
    }
  }

  private func largestQueue(of account: Account) -> SendBuffer? {
    let sendBuffers = all.values.lazy.map(\.session.sendBuffer).filter { $0.account === account && $0.queuedBytes > 0 }
    return sendBuffers.max { $0.queuedBytes < $1.queuedBytes }
  }

  func nextIdentifier() -> Int {
    lastIdentifier += 1
    return lastIdentifier
  }

  /// Closes a connection at the end of the iteration, when it is not in use.
  func closeLater(_ connection: Connection) { doomed.append(connection) }

  func remove(_ connection: Connection) { all[ObjectIdentifier(connection)] = nil }

  /// Schedules a connection to handle its waiting input in the next iteration.
  func resume(_ connection: Connection) {
    resuming.append(connection)
    resumeLater()
  }

  private func resumeLater() {
    if willResume { return }
    willResume = true
    // The loop retains posted work and may outlive this object.
    loop.post { [weak self] in self?.resumeSome() }
  }

  /// Serves connections with waiting input for a share of the iteration; one that has more is appended again.
  private func resumeSome() {
    willResume = false
    clock.readTime()
    let end = clock.now + Self.share
    for _ in 0..<resuming.count {
      guard let connection = resuming.popFirst() else { break }
      connection.resume()
      if MonotonicInstant.now() >= end { break }
    }
    if !resuming.isEmpty { resumeLater() }
  }

  private func closeDoomed() {
    while !doomed.isEmpty {
      let connections = doomed
      doomed.removeAll()
      for connection in connections { connection.close() }
    }
  }

  /// Ensures that a connection is checked at its deadline.
  func watch(_ deadline: MonotonicInstant?) { deadlines.watch(deadline) }

  /// Logs that lines of a disconnected client will not be handled.
  func logDropped(user: UInt32) {
    guard let others = drops.ending(at: clock.now) else { return }
    log.notice("dropped lines of a disconnected client" + others, ("uid", "\(user)"))
  }

  private func closeOverdue() {
    for connection in all.values {
      guard let deadline = connection.deadline else { continue }
      if deadline <= clock.now { connection.passDeadline() } else { watch(deadline) }
    }
  }
}

// MARK: - Handover

extension Connections {
  /// The connections in the order in which their clients connected.
  var listed: [Connection] { all.values.sorted { $0.identifier < $1.identifier } }

  /// Ends the subscriptions of the old process whose `where` this one refuses; all others continue.
  func endRefusedSubscriptions() {
    for connection in listed {
      for subscription in connection.session.listed where subscription.isRefused {
        log.warning(
          "cannot resume a subscription to \(subscription.pattern.text): its \"where\" is refused by this version",
          ("uid", "\(connection.session.identity.credentials.userID)"))
        subscription.interrupt(.restarted)
      }
    }
  }

  /// Encodes all clients, in the order in which they connected.
  func encode(to writer: inout StateEncoder) {
    lastIdentifier.encode(to: &writer)
    turnedAway.encode(to: &writer)
    var sharing = SharedParts()
    let connections = listed
    writer.count(connections.count)
    for connection in connections {
      (connection.descriptor != nil).encode(to: &writer)
      writer.part { connection.encode(to: &$0, &sharing) }
    }
    encodeLists(to: &writer, of: connections)
  }

  /// Encodes the open lists of values, if there are any.
  private func encodeLists(to writer: inout StateEncoder, of connections: [Connection]) {
    let lists = dispatcher.lists.listed
    if lists.isEmpty { return }
    writer.count(lists.count)
    for list in lists {
      list.session.identity.credentials.encode(to: &writer)
      (connections.first { $0.session === list.session }?.identifier).encode(to: &writer)
      list.encode(to: &writer)
    }
  }

  /// Resumes the lists of values of the old process, once its clients are restored.
  private func restoreLists(from reader: inout StateDecoder) throws(StateError) {
    if reader.isAtEnd { return }
    for _ in 0..<(try reader.count()) {
      let credentials = try PeerCredentials(from: &reader)
      let identifier = try Int?(from: &reader)
      let present = all.values.first { $0.identifier == identifier }?.session
      let session = present ?? absent(credentials)
      dispatcher.proceed(with: try ValueList(from: &reader, of: session))
      // From now on only the list uses the account.
      if present == nil { session.close() }
    }
  }

  /// The session of a client that has disconnected, which is to be closed.
  private func absent(_ credentials: PeerCredentials) -> Session {
    let account = ledger.account(ofUser: credentials.userID)
    account.joined()
    return Session(credentials, account: account, limits: ledger.limits, hub: dispatcher.hub)
  }
}

extension Connections {
  /// The last bytes for each client that has a socket, for a process that cannot resume: the rest of what is being
  /// written, the values that wait for an interval, and the endings of its subscriptions.
  var farewells: [[UInt8]] {
    listed.filter { $0.descriptor != nil }.map { connection in
      var bytes = Array(connection.session.sendBuffer.unwritten)
      for subscription in connection.session.listed {
        for group in subscription.groups {
          if let entry = group.keepPending() { group.append(entry, to: &bytes) }
          group.append(.interrupted(signal: group.signal, .restarted), to: &bytes)
        }
      }
      return bytes
    }
  }

  /// Restores the clients of the process that has handed over, while the graphs resume from their state.
  ///
  /// - Parameters:
  ///   - socket: Returns the socket at an index.
  ///   - listen: Attaches subscriptions to their signals, given a function from numbers to subscriptions.
  func restore(
    from reader: inout StateDecoder, socket: (Int) -> OwnedDescriptor?,
    listen: ((Int) throws(StateError) -> Subscription) throws(StateError) -> Void
  ) throws(StateError) {
    lastIdentifier = try Int(from: &reader)
    turnedAway = try UInt64(from: &reader)
    var arrived: [(connection: Connection, rest: StateDecoder)] = []
    var sockets = 0
    for _ in 0..<(try reader.count()) {
      let hasSocket = try Bool(from: &reader)
      var part = try reader.part()
      let descriptor = hasSocket ? socket(sockets) : nil
      if hasSocket, descriptor == nil { throw StateError("missing socket of a client") }
      if hasSocket { sockets += 1 }
      let connection = try Connection(from: &part, socket: descriptor, self)
      arrived.append((connection, part))
      all[ObjectIdentifier(connection)] = connection
      if connection.isThere { count += 1 }
    }
    let subscriptions = arrived.flatMap(\.connection.session.listed)
    try listen { number throws(StateError) in
      guard subscriptions.indices.contains(number) else { throw StateError("missing subscription") }
      return subscriptions[number]
    }
    var sharing = SharedParts()
    for (connection, rest) in arrived {
      var rest = rest
      try connection.resumeOutput(from: &rest, &sharing)
      if !rest.isAtEnd { throw StateError("unexpected data of a client") }
    }
    try restoreLists(from: &reader)
  }

  /// Starts polling all restored clients; one that cannot be polled is disconnected.
  func resumePolling() {
    for connection in listed {
      do throws(Errno) { try connection.resumePolling() } catch {
        log.warning("cannot poll a client, disconnected: \(error)")
        closeLater(connection)
      }
    }
  }
}
