import Linux
import ReactiveCore
import SignalGraph
import WireProtocol

/// The limits that a connection has to know.
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

/// All connections, and what they share: the poller, a turn's buffers, and a watch on those that take too long.
final class Connections {
  let poller: Poller
  let turn: Turn
  let log: Log
  /// Into which each reads its portion of a turn.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
  let ledger: Ledger
  let dispatcher: Dispatcher
  let clock: TurnClock
  private(set) var limits: ConnectionLimits
  let happenings = Happenings()
  private let deadlines: Deadlines
  private var lastIdentifier = 0
  private let loop: EventLoop
  /// Those too whose clients have left lines behind that are still to be carried out.
  private var all: [ObjectIdentifier: Connection] = [:]
  private var doomed: [Connection] = []
  private var resuming: [Connection] = []
  private var drops = Repetition()

  init(
    loop: EventLoop, poller: Poller, turn: Turn, ledger: Ledger, dispatcher: Dispatcher,
    log: Log
  ) throws(Errno) {
    self.loop = loop
    self.poller = poller
    self.turn = turn
    clock = turn.clock
    self.ledger = ledger
    self.dispatcher = dispatcher
    self.log = log
    limits = ConnectionLimits(ledger.limits)
    deadlines = try Deadlines(loop: loop, clock: clock)
    deadlines.look = { [unowned self] in closeOverdue() }
  }

  deinit {
    readBuffer.deallocate()
  }

  /// How many clients there are.
  private(set) var count = 0
  var isEmpty: Bool { all.isEmpty }

  /// How many clients were not let in so far.
  private var turnedAway: UInt64 = 0

  func noteTurnedAway() { turnedAway += 1 }

  var census: ClientCensus {
    let sessions = all.values.lazy.map(\.session)
    return ClientCensus(
      count: count, turnedAway: turnedAway, largestOutput: sessions.map(\.outbox.heldBytes).max() ?? 0,
      mostSubscriptions: sessions.map(\.subscriptionCount).max() ?? 0)
  }

  /// Takes a client in.
  func open(_ socket: consuming OwnedDescriptor, session: Session, account: Account) throws(Errno) {
    let connection = Connection(socket, session: session, account: account, connections: self)
    try connection.open()
    all[ObjectIdentifier(connection)] = connection
    count += 1
  }

  /// A client has gone, though something of it may remain for a while.
  func hasLeft() { count -= 1 }

  func apply(_ limits: Limits) {
    ledger.limits = limits
    self.limits = ConnectionLimits(limits)
    deadlines.forget()
    for connection in all.values {
      connection.apply(self.limits)
      watch(connection.deadline)
    }
  }

  /// Ends all calls, and tells the clients why.
  func endCalls(because error: WireError) {
    for connection in all.values { connection.session.endCalls(because: error) }
  }

  /// Lets every client have what is committed for it, and closes.
  func finish(within patience: Duration) {
    for connection in all.values { connection.finish(within: patience) }
  }

  /// Closes every connection now.
  func closeAll() {
    for connection in all.values { connection.close() }
  }

  // MARK: Turns

  /// Writes what the turn has produced, once for each connection, then closes those that are over.
  func turnEnds() {
    repeat {
      happenings.tell()
      turn.flush()
      closeDoomed()
      closeLargest()
    } while !happenings.isEmpty
    turn.end()
  }

  /// Has clients go until the daemon holds no more than it may.
  private func closeLargest() {
    while ledger.isExhausted, let largest = all.values.max(by: { $0.heldBytes < $1.heldBytes }) {
      log.warning("limits.memory is exceeded: the client that holds most is disconnected")
      largest.close()
    }
  }

  func nextIdentifier() -> Int {
    lastIdentifier += 1
    return lastIdentifier
  }

  /// Closes a connection at the end of the turn, when nobody is in the middle of using it.
  func closeLater(_ connection: Connection) { doomed.append(connection) }

  func forget(_ connection: Connection) { all[ObjectIdentifier(connection)] = nil }

  /// Has a connection carry out in the next turn what it has kept.
  func resume(_ connection: Connection) {
    if resuming.isEmpty { loop.post { [unowned self] in resumeAll() } }
    resuming.append(connection)
  }

  private func resumeAll() {
    let connections = resuming
    resuming.removeAll()
    clock.readTime()
    for connection in connections { connection.resume() }
  }

  private func closeDoomed() {
    while !doomed.isEmpty {
      let connections = doomed
      doomed.removeAll()
      for connection in connections { connection.close() }
    }
  }

  /// Sees to it that a connection is looked at when its deadline has come.
  func watch(_ deadline: MonotonicInstant?) { deadlines.watch(deadline) }

  /// Lines that a client sent before it left will not be carried out.
  func sayDropped(user: UInt32) {
    guard let unsaid = drops.next(at: clock.now) else { return }
    let others = unsaid == 0 ? "" : "; so were those of \(unsaid) before"
    log.notice("lines that a client sent before it left are dropped" + others, ("uid", "\(user)"))
  }

  private func closeOverdue() {
    for connection in all.values {
      guard let deadline = connection.deadline else { continue }
      if deadline <= clock.now { connection.deadlineHasPassed() } else { watch(deadline) }
    }
  }
}

// MARK: - Handing over

extension Connections {
  /// All of them, in the order in which their clients came.
  var listed: [Connection] { all.values.sorted { $0.identifier < $1.identifier } }

  /// Writes down all clients, in the order in which they came.
  func store(in writer: inout StateWriter) {
    lastIdentifier.store(in: &writer)
    turnedAway.store(in: &writer)
    var sharing = SharedParts()
    let connections = listed
    writer.count(connections.count)
    for connection in connections {
      (connection.descriptor != nil).store(in: &writer)
      writer.part { connection.store(in: &$0, &sharing) }
    }
  }
}

extension Connections {
  /// The last bytes of each client that has a socket, for a process that cannot go on with its work: the rest of what is
  /// being written, the values that wait for their time, and how each of its subscriptions ends.
  var farewells: [[UInt8]] {
    listed.filter { $0.descriptor != nil }.map { connection in
      var bytes = Array(connection.session.outbox.unwritten)
      for subscription in connection.session.listed {
        for feed in subscription.feeds {
          if let entry = feed.keepPending() { feed.append(entry, to: &bytes) }
          feed.append(.interrupted(signal: feed.signal, .restarted), to: &bytes)
        }
      }
      return bytes
    }
  }

  /// Takes in the clients of another process, while the graphs go on from their state.
  ///
  /// - Parameters:
  ///   - socket: Gives the socket of a place.
  ///   - listen: Has subscriptions listen where they listened, given them by their numbers.
  func restore(
    from reader: inout StateReader, socket: (Int) -> OwnedDescriptor?,
    listen: ((Int) throws(StateError) -> Subscription) throws(StateError) -> Void
  ) throws(StateError) {
    lastIdentifier = try Int(from: &reader)
    turnedAway = try UInt64(from: &reader)
    var arrived: [(connection: Connection, rest: StateReader)] = []
    var sockets = 0
    for _ in 0..<(try reader.count()) {
      let hasSocket = try Bool(from: &reader)
      var part = try reader.part()
      let descriptor = hasSocket ? socket(sockets) : nil
      if hasSocket, descriptor == nil { throw StateError("the socket of a client is not there") }
      if hasSocket { sockets += 1 }
      let connection = try Connection(from: &part, socket: descriptor, self)
      arrived.append((connection, part))
      all[ObjectIdentifier(connection)] = connection
      if connection.isThere { count += 1 }
    }
    let subscriptions = arrived.flatMap(\.connection.session.listed)
    try listen { number throws(StateError) in
      guard subscriptions.indices.contains(number) else { throw StateError("a subscription is not there") }
      return subscriptions[number]
    }
    var sharing = SharedParts()
    for (connection, rest) in arrived {
      var rest = rest
      try connection.resumeOutput(from: &rest, &sharing)
      if !rest.isAtEnd { throw StateError("more was kept of a client than it has") }
    }
  }

  /// Listens to all clients that were taken in; one that cannot be listened to is let go.
  func goOnListening() {
    for connection in listed {
      do throws(Errno) { try connection.goOnListening() } catch {
        log.warning("a client cannot be listened to, and is disconnected: \(error)")
        closeLater(connection)
      }
    }
  }
}
