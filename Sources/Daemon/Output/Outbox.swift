import ReactiveCore
import WireProtocol

/// Everything that one client is still to be sent, in its order.
///
/// It puts together what is on its way (`CommittedBytes`) and what waits behind that while the client does not read
/// (`BoundedQueue`), and has its owner write at the end of a turn.
final class Outbox {
  private let turn: Turn
  private unowned var owner: (any OutboxOwner)?
  private var committed = CommittedBytes()
  private var queue: BoundedQueue
  private var charge: Charge
  private var isScheduled = false
  /// Nothing is kept or sent any more.
  private(set) var isClosed = false
  /// Something was dropped or held up since the client was last up to date.
  private var isLagging = false
  /// Called once, as soon as there is room in here; for a gate before which senders wait.
  var onRoom: (() -> Void)?
  /// Values for this client so far, those included that were dropped later; counted here, where each comes by.
  var sentValues: UInt64 = 0
  /// Bytes of answers since the owner last began a portion of lines, whether anybody reads them or not; looking through
  /// all signals for one counts as well.
  var answeredBytes = 0

  init(turn: Turn, account: Account, budget: Int) {
    self.turn = turn
    charge = Charge(to: account)
    queue = BoundedQueue(budget: budget)
  }

  /// Names the client that writes what is in here, until `detach`.
  func attach(to owner: any OutboxOwner) { self.owner = owner }

  /// The client is gone.
  func detach() { owner = nil }

  /// Bytes that wait in here.
  var heldBytes: Int { committed.count + queue.heldBytes }
  /// The same with the retained values that are still to be encoded.
  var chargedBytes: Int { heldBytes + queue.replayBytes }
  /// Whether it waits for room in the kernel's buffer, or for its next turn.
  var wantsToWrite: Bool { !isEmpty && !isClosed }
  var isEmpty: Bool { committed.isEmpty && queue.isEmpty }
  /// Whether it holds as much as it may, so that no more requests are to be carried out.
  var isFull: Bool { !queue.isEmpty && heldBytes >= queue.budget }

  /// Whether its client has not read yet what was written before.
  var isBehind: Bool { committed.isBlocked || !queue.isEmpty }

  /// Whether senders that wait may go on: well below full, so that they do not stop again at once.
  private var hasRoom: Bool { queue.isEmpty || heldBytes <= queue.budget / 2 }

  // MARK: Appending

  /// Appends an event that stands in the turn's buffer, and may be dropped later.
  ///
  /// - Returns: whether it was appended; else it has been counted as dropped.
  @inline(__always)
  @discardableResult
  func append(event range: Range<Int>, lane: Lane, stream: EventStream) -> Bool {
    sentValues &+= 1
    guard isDirect else { return hold(eventAt: range, lane, stream) }
    commit(range)
    return true
  }

  /// Appends several events that stand one behind the other in the turn's buffer, if none is to be dropped.
  ///
  /// The last of a turn go to the kernel at once where nothing stands before them.
  ///
  /// - Returns: whether they were appended.
  @inline(__always)
  func append(events range: Range<Int>, count: Int) -> Bool {
    guard isDirect else { return false }
    if turn.isEnding && !isScheduled && isEmpty {
      sentValues &+= UInt64(count)
      write(range)
      return true
    }
    if committed.size + range.count > CommittedBytes.most, !isEmpty {
      owner?.flush()
      guard isDirect else { return false }
    }
    sentValues &+= UInt64(count)
    commit(range)
    return true
  }

  /// Appends a line that stands in the turn's buffer, and is never dropped.
  func append(line range: Range<Int>) {
    if isDirect || canCommit(range.count) { return commit(range) }
    if isClosed { return }
    queue.append(turn.shared(range))
    settle()
  }

  /// Appends a line that `write` encodes, and that is never dropped.
  func append(_ write: (inout [UInt8]) -> Void) {
    turn.closeBatch()
    let start = turn.count
    write(&turn.bytes)
    answeredBytes += turn.count - start
    append(line: start..<turn.count)
  }

  /// Appends retained values, which are encoded as there is room for them.
  func append(_ replay: Replay) {
    turn.closeBatch()
    while isDirect, !replay.isEmpty {
      let start = turn.count
      replay.appendNext(to: &turn.bytes)
      commit(start..<turn.count)
    }
    if replay.isEmpty || isClosed { return }
    queue.append(replay)
    settle()
  }

  @inline(__always) private var isDirect: Bool { !committed.isBlocked && queue.isEmpty && !isClosed }

  private func canCommit(_ count: Int) -> Bool {
    queue.isEmpty && !isClosed && committed.count + count <= queue.share
  }

  @inline(__always)
  private func commit(_ range: Range<Int>) {
    committed.append(range, of: turn)
    if !isScheduled { schedule() }
    if committed.size >= CommittedBytes.most && !committed.isBlocked { owner?.flush() }
  }

  private func schedule() {
    isScheduled = true
    if let owner { turn.schedule(owner) }
  }

  private func hold(eventAt range: Range<Int>, _ lane: Lane, _ stream: EventStream) -> Bool {
    if isClosed { return false }
    if canCommit(range.count) {
      commit(range)
      return true
    }
    defer { settle() }
    let arrival = BoundedQueue.Arrival(lane: lane, stream: stream, charge: range.count + OutputQueue.entryOverhead)
    guard makeRoom(for: arrival) else { return false }
    queue.append(turn.shared(range), arrival)
    return true
  }

  // MARK: Giving way

  /// Has others give way until an event fits.
  ///
  /// - Returns: whether the event is to be queued; else it has been counted as dropped.
  private func makeRoom(for arrival: BoundedQueue.Arrival) -> Bool {
    while isPastBudget(with: arrival.charge) {
      noteLag()
      switch queue.giveWay(to: arrival, canWait: turn.hasSender && !charge.account.isExhausted) {
      case .admitted: return true
      case .refused: return false
      case .disconnected:
        owner?.disconnectSlow()
        return false
      case .dropped: settle()
      }
    }
    return true
  }

  /// Takes over another budget; what is past it gives way at once.
  func apply(budget: Int) {
    queue.budget = budget
    while isPastBudget(with: 0), let outcome = queue.giveWay() {
      noteLag()
      if case .disconnected = outcome { owner?.disconnectSlow() }
      settle()
    }
    settle()
  }

  private func isPastBudget(with charge: Int) -> Bool {
    !queue.isEmpty && (heldBytes + charge > queue.budget || self.charge.account.isExhausted)
  }

  private func noteLag() {
    if isLagging { return }
    isLagging = true
    owner?.hasFallenBehind()
  }

  /// Drops what is queued, for a client that is to be told one more line.
  func dropQueue() {
    queue.removeAll()
    settle()
  }

  /// Drops everything; what is appended from now on is dropped as well.
  func close() {
    isClosed = true
    committed.removeAll()
    dropQueue()
  }

  /// Brings the user's account up to date, and tells who waits for room when there is some.
  private func settle() {
    charge.update(to: chargedBytes)
    guard let onRoom, hasRoom else { return }
    self.onRoom = nil
    onRoom()
  }

  // MARK: Writing

  /// Hands the kernel what it takes, in one write.
  func flush() {
    isScheduled = false
    if committed.isEmpty { refill() }
    if let owner, !committed.write(to: owner, of: turn) { close() }
    settle()
  }

  /// Hands the kernel a stretch of the turn's buffer that has nothing before it.
  private func write(_ range: Range<Int>) {
    guard let owner, !committed.write(range, to: owner, of: turn) else { return }
    owner.flush()
  }

  private func refill() {
    if queue.isEmpty { return }
    var bytes = turn.spares.take()
    queue.take(into: &bytes)
    committed.fill(with: bytes)
    if queue.isEmpty { isLagging = false }
  }
}

// MARK: - Handing over

/// The owner of a lane: a subscription of the outbox's client.
protocol LaneOwner: AnyObject {
  var lane: Lane { get }
  /// The streams by which it gets the events of its signals.
  var streams: [EventStream] { get }
}

extension Outbox {
  /// The rest of what is being written, between two turns.
  var unwritten: ArraySlice<UInt8> { committed.rest }

  /// Writes down what it holds, between two turns.
  ///
  /// - Parameter owners: The subscriptions of its client, in the order in which they are written down.
  func store(in writer: inout StateWriter, of owners: [any LaneOwner], _ sharing: inout SharedParts) {
    isClosed.store(in: &writer)
    isLagging.store(in: &writer)
    sentValues.store(in: &writer)
    committed.isBlocked.store(in: &writer)
    writer.blob(Array(committed.rest))
    let parts = queue.queue.parts(behind: owners.map(\.lane))
    let strays = parts.lanes[owners.count...]
    writer.count(strays.count)
    for lane in strays { lane.store(in: &writer) }
    var ownerOf: [ObjectIdentifier: Int] = [:]
    if !parts.streams.isEmpty {
      for (number, owner) in owners.enumerated() {
        for stream in owner.streams { ownerOf[ObjectIdentifier(stream)] = number }
      }
    }
    writer.count(parts.streams.count)
    for stream in parts.streams {
      (ownerOf[ObjectIdentifier(stream)] ?? -1).store(in: &writer)
      writer.text(stream.signal)
      stream.form.label.store(in: &writer)
      stream.form.hasTimestamps.store(in: &writer)
    }
    queue.queue.store(in: &writer, parts, &sharing)
  }

  /// Goes on with what another process held for its client.
  ///
  /// - Parameters:
  ///   - owners: The subscriptions, in the same order.
  ///   - makeStream: Makes a stream to which nobody listens any more.
  func restore(
    from reader: inout StateReader, of owners: [any LaneOwner], _ sharing: inout SharedParts,
    makeStream: (_ signal: String, EventForm) -> EventStream
  ) throws(StateError) {
    isClosed = try Bool(from: &reader)
    isLagging = try Bool(from: &reader)
    sentValues = try UInt64(from: &reader)
    let isBlocked = try Bool(from: &reader)
    committed.resume(Array(try reader.blob()), isBlocked: isBlocked)
    var parts = QueueParts()
    for owner in owners { parts.append(owner.lane) }
    for _ in 0..<(try reader.count()) { parts.append(try Lane(from: &reader)) }
    for _ in 0..<(try reader.count()) {
      let owner = try Int(from: &reader)
      let signal = try reader.text()
      let form = EventForm(label: try String?(from: &reader), hasTimestamps: try Bool(from: &reader))
      let own = owners.indices.contains(owner) ? owners[owner].streams.first { $0.signal == signal } : nil
      parts.append(restored: own ?? makeStream(signal, form))
    }
    try queue.restore(from: &reader, parts, &sharing)
    settle()
  }
}

/// The client that an outbox belongs to.
protocol OutboxOwner: Flushable {
  /// Hands the kernel bytes, and says how many it took; `nil` if the client is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int?
  /// Says that the client is too slow for a subscription that does not want to miss anything, and ends it.
  func disconnectSlow()
  /// Says that the client misses something, or holds up others, for the first time since it was up to date.
  func hasFallenBehind()
}
