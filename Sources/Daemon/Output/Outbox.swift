import Linux
import WireProtocol

/// Everything that one client is still to be sent, in its order.
///
/// As long as the client reads, its bytes are a stretch of the turn's buffer (`run`), which goes to the kernel as it
/// is. What the kernel does not take becomes committed bytes, which are never dropped; what comes while those are full
/// is queued, entry by entry, and there the subscriptions' overflow rules choose what gives way.
final class Outbox {
  /// How many bytes are committed at most; one entry that is larger is committed alone.
  static let commitment = 65_536

  private let turn: TurnBuffer
  private unowned var owner: (any OutboxOwner)?
  private let account: Account
  private var run = 0..<0
  private var committed: [UInt8] = []
  private var written = 0
  private var isScheduled = false
  /// The kernel has no room; wait until it has.
  private(set) var isBlocked = false
  private var queue = OutputQueue()
  /// Nothing is kept or sent any more.
  private(set) var isClosed = false
  /// What may be held in here (`limits.output`).
  private var budget: Int
  /// Something was dropped or held up since the client was last up to date.
  private var isLagging = false
  /// Called once, as soon as there is room in here; for a gate before which senders wait.
  var onRoom: (() -> Void)?
  /// Values for this client so far, those included that were dropped later; counted here, where each comes by.
  var sentValues: UInt64 = 0
  /// Bytes of answers since the owner last began a portion of lines, whether anybody reads them or not; looking through
  /// all signals for one counts as well.
  var answeredBytes = 0
  /// What the client's user has been charged with for this.
  private var charged = 0

  init(turn: TurnBuffer, account: Account, budget: Int) {
    self.turn = turn
    self.account = account
    self.budget = budget
  }

  /// Names the client that writes what is in here, until `detach`.
  func attach(to owner: any OutboxOwner) { self.owner = owner }

  /// The client is gone.
  func detach() { owner = nil }

  /// Bytes that wait in here.
  var heldBytes: Int { run.count + committed.count - written + queue.heldBytes }
  /// Whether it waits for room in the kernel's buffer, or for its next turn.
  var wantsToWrite: Bool { !isEmpty && !isClosed }
  var isEmpty: Bool { run.isEmpty && written == committed.count && queue.isEmpty }
  /// Whether it holds as much as it may, so that no more requests are to be carried out.
  var isFull: Bool { !queue.isEmpty && heldBytes >= budget }

  /// Whether its client has not read yet what was written before.
  var isBehind: Bool { isBlocked || !queue.isEmpty }

  /// Whether senders that wait may go on: well below full, so that they do not stop again at once.
  private var hasRoom: Bool { queue.isEmpty || heldBytes <= budget / 2 }

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
    if run.count + committed.count + range.count > Self.commitment, !isEmpty {
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
    queue.append(.line(turn.shared(range)))
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
    queue.append(.replay(replay))
    settle()
  }

  /// Drops everything; what is appended from now on is dropped as well.
  func close() {
    isClosed = true
    run = 0..<0
    committed = []
    written = 0
    dropQueue()
  }

  /// Drops what is queued, for a client that is to be told one more line.
  func dropQueue() {
    queue = OutputQueue()
    settle()
  }

  /// Takes over another budget; what is past it gives way at once.
  func apply(budget: Int) {
    self.budget = budget
    while isPastBudget(with: 0), let victim = largestHolder() {
      noteLag()
      drop(of: victim)
      settle()
    }
    settle()
  }

  /// Brings the user's account up to date, and tells who waits for room when there is some.
  private func settle() {
    let held = heldBytes
    if held != charged { account.charge(held - charged) }
    charged = held
    if let onRoom, hasRoom {
      self.onRoom = nil
      onRoom()
    }
  }

  // MARK: Appending

  @inline(__always) private var isDirect: Bool { !isBlocked && queue.isEmpty && !isClosed }

  private func canCommit(_ count: Int) -> Bool {
    queue.isEmpty && !isClosed && committed.count - written + run.count + count <= share
  }

  @inline(__always)
  private func commit(_ range: Range<Int>) {
    if run.upperBound == range.lowerBound && !run.isEmpty {
      run = run.lowerBound..<range.upperBound
    } else if run.isEmpty && committed.isEmpty {
      run = range
    } else {
      copyRun()
      committed.append(turn.bytes, range)
    }
    if !isScheduled { schedule() }
    if run.count + committed.count >= Self.commitment && !isBlocked { owner?.flush() }
  }

  private func schedule() {
    isScheduled = true
    if let owner { turn.schedule(owner) }
  }

  private func copyRun() {
    if run.isEmpty { return }
    if committed.capacity == 0 { committed = turn.takeSpare() }
    committed.append(turn.bytes, run)
    run = 0..<0
  }

  private func hold(eventAt range: Range<Int>, _ lane: Lane, _ stream: EventStream) -> Bool {
    if isClosed { return false }
    if canCommit(range.count) {
      commit(range)
      return true
    }
    defer { settle() }
    guard makeRoom(for: range.count + OutputQueue.entryOverhead, lane, stream) else { return false }
    queue.append(event: turn.shared(range), lane: lane, stream: stream)
    return true
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

// MARK: - Dropping

extension Outbox {
  /// Drops what the overflow rules choose until an event fits.
  /// - Returns: whether the event is to be queued; else it has been counted as dropped.
  private func makeRoom(for charge: Int, _ lane: Lane, _ stream: EventStream) -> Bool {
    while isPastBudget(with: charge) {
      noteLag()
      // The senders are stopped instead, after what they have sent so far.
      if lane.overflow == .block && stream.hasBackpressure && turn.hasSender && !account.isExhausted { return true }
      // A queue without events takes one, however large: else the newest value would be lost behind a large one.
      guard let victim = largestHolder(incoming: (lane, charge)) else {
        if lane.heldBytes == 0 && !queue.lanes.contains(where: \.isSatisfied) { return true }
        queue.dropIncoming(lane: lane, stream: stream)
        return false
      }
      if victim === lane && victim.overflow == .dropNewest {
        queue.dropIncoming(lane: lane, stream: stream)
        return false
      }
      drop(of: victim, incoming: victim === lane ? stream : nil)
      if victim.overflow == .disconnect { return false }
      settle()
    }
    return true
  }

  private func isPastBudget(with charge: Int) -> Bool {
    !queue.isEmpty && (heldBytes + charge > budget || account.isExhausted)
  }

  /// Drops an event of a lane, as its overflow rule says.
  private func drop(of victim: Lane, incoming: EventStream? = nil) {
    switch victim.overflow {
    case .dropOldest: dropOldest(of: victim)
    case .latest: dropSuperseded(of: victim, incoming: incoming)
    case .dropNewest: if let place = queue.newestEvent(of: victim) { queue.dropNewest(place, of: victim) }
    case .block: preconditionFailure("events of a blocking subscription are not dropped for others")
    case .disconnect: owner?.disconnectSlow()
    }
  }

  private func noteLag() {
    if isLagging { return }
    isLagging = true
    owner?.hasFallenBehind()
  }

  /// The lane that holds most, an event counted that is about to come; `nil` if none has anything to drop.
  ///
  /// Blocking ones are left alone: what comes without a sender who could wait is dropped before it is queued. So are
  /// those whose subscriptions have had all that they asked for.
  private func largestHolder(incoming: (lane: Lane, charge: Int)? = nil) -> Lane? {
    var largest: Lane?
    var most = 0
    for lane in queue.lanes where lane.heldBytes > 0 && lane.overflow != .block && !lane.isSatisfied {
      let holds = lane.heldBytes + (lane === incoming?.lane ? incoming?.charge ?? 0 : 0)
      if holds > most { (largest, most) = (lane, holds) }
    }
    return largest
  }

  private func dropOldest(of lane: Lane) {
    if let place = queue.oldestEvent(of: lane) { queue.dropOldest(place, of: lane) }
  }

  private func dropSuperseded(of lane: Lane, incoming: EventStream?) {
    let place = queue.oldestSupersededEvent(of: lane, incoming: incoming) ?? queue.oldestEvent(of: lane)
    if let place { queue.dropOldest(place, of: lane) }
  }
}

// MARK: - Flushing

extension Outbox {
  /// Hands the kernel what it takes, in one write.
  func flush() {
    isScheduled = false
    if run.isEmpty && written == committed.count { refill() }
    if !committed.isEmpty {
      copyRun()
      flushCommitted()
    } else if !run.isEmpty {
      flushRun()
    }
    settle()
  }

  /// Hands the kernel a stretch of the turn's buffer that has nothing before it; most often it takes all.
  private func write(_ range: Range<Int>) {
    let count = taken(of: turn.bytes, range) ?? 0
    if count == range.count { return }
    run = range.lowerBound + count..<range.upperBound
    owner?.flush()
  }

  private func flushRun() {
    guard let count = taken(of: turn.bytes, run) else { return close() }
    run = run.lowerBound + count..<run.upperBound
    isBlocked = !run.isEmpty
    copyRun()
  }

  private func flushCommitted() {
    guard let count = taken(of: committed, written..<committed.count) else { return close() }
    written += count
    isBlocked = written < committed.count
    if isBlocked {
      // The beginning is cut off only when that is worth a move.
      if written > Self.commitment {
        committed.removeFirst(written)
        written = 0
      }
      return
    }
    written = 0
    let empty = committed
    committed = []
    turn.giveBack(empty)
  }

  /// How many bytes of a stretch the kernel took; `nil` if the client is gone.
  private func taken(of bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard let owner else { return nil }
    return bytes.withUnsafeBytes { owner.write(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Commits what is queued, as much as fits, and one entry at least.
  private func refill() {
    if queue.isEmpty { return }
    var bytes = turn.takeSpare()
    while !queue.isEmpty, fits(queue[queue.first], behind: bytes.count) {
      if case .replay(let replay) = queue[queue.first].content {
        replay.appendNext(to: &bytes)
        if replay.isEmpty { _ = queue.takeFirst() }
      } else {
        queue.takeFirst().append(to: &bytes)
      }
    }
    committed = bytes
    if queue.isEmpty { isLagging = false }
  }

  private func fits(_ entry: OutputQueue.Entry, behind count: Int) -> Bool {
    count == 0 || count + entry.charge <= share
  }

  /// What may be committed: of a small budget only half, so that the overflow rules have something to choose from.
  private var share: Int { min(Self.commitment, budget / 2) }
}

extension OutputQueue.Entry {
  fileprivate func append(to bytes: inout [UInt8]) {
    switch content {
    case .event(let shared), .line(let shared): bytes.append(contentsOf: shared.bytes)
    case .lagged(let dropped):
      if let stream { stream.append(.lagged(signal: stream.signal, dropped: dropped), to: &bytes) }
    case .replay, .free: break
    }
  }
}
