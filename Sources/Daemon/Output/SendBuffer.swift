import Signals
import WireProtocol

/// The output of one client, in order.
///
/// It combines the bytes on their way (`WriteBuffer`) with the entries that wait while the client does not read
/// (`BoundedQueue`), and schedules a write at the end of an iteration.
final class SendBuffer: SheddingQueue {
  private let iteration: LoopIteration
  private unowned var owner: (any SendBufferOwner)?
  private var committed = WriteBuffer()
  private var queue: BoundedQueue
  private var charge: Charge
  private var isScheduled = false
  /// True once nothing is stored or sent any more.
  private(set) var isClosed = false
  /// True if an event was dropped or a sender paused since the client was last up to date.
  private var isLagging = false
  /// Called once there is space again; for a gate where senders wait.
  var onSpace: (() -> Void)?
  /// The number of values for this client so far, including those dropped later; counted here, since each passes here.
  var sentValues: UInt64 = 0
  /// The bytes of answers since the owner last began a batch of lines, read or not; searching all signals for an answer
  /// counts as well.
  var answeredBytes = 0

  init(iteration: LoopIteration, account: Account, budget: Int) {
    self.iteration = iteration
    charge = Charge(to: account)
    queue = BoundedQueue(budget: budget)
  }

  /// Sets the client that writes the output, until `detach`.
  func attach(to owner: any SendBufferOwner) { self.owner = owner }

  /// Detaches from a client that has disconnected.
  func detach() { owner = nil }

  /// The number of bytes that wait to be written.
  var heldBytes: Int { committed.count + queue.heldBytes }
  /// The number of bytes that wait to be written, including retained values that are still to be encoded.
  var chargedBytes: Int { heldBytes + queue.replayBytes }
  /// True while output waits for the kernel's buffer, or for the next iteration.
  var wantsToWrite: Bool { !isEmpty && !isClosed }
  var isEmpty: Bool { committed.isEmpty && queue.isEmpty }
  /// The account of its user.
  var account: Account { charge.account }
  /// The bytes behind the committed ones.
  var queuedBytes: Int { queue.heldBytes }
  /// True while the budget is used up, so that no more requests are to be handled.
  var isFull: Bool { !queue.isEmpty && heldBytes >= queue.budget }

  /// True if the client has not read everything that was written before.
  var isBehind: Bool { committed.isBlocked || !queue.isEmpty }

  /// True if waiting senders may continue: the low watermark is well below full, so that they do not stop again at
  /// once.
  private var hasSpace: Bool { queue.isEmpty || heldBytes <= queue.budget / 2 }

  // MARK: Appending

  /// Appends an event that is encoded in the iteration buffer, and may be dropped later.
  ///
  /// - Returns: `false` if it has been counted as dropped.
  @inline(__always)
  @discardableResult
  func append(event range: Range<Int>, subscriptionQueue: SubscriptionQueue, stream: EventEncoder) -> Bool {
    sentValues &+= 1
    guard isDirect else { return hold(eventAt: range, subscriptionQueue, stream) }
    commit(range)
    return true
  }

  /// Appends several events that are encoded in sequence in the iteration buffer, if none of them is to be dropped.
  ///
  /// The last ones of an iteration go to the kernel at once if nothing is before them.
  ///
  /// - Returns: `true` if they were appended.
  @inline(__always)
  func append(events range: Range<Int>, count: Int) -> Bool {
    guard isDirect else { return false }
    if iteration.isEnding && !isScheduled && isEmpty {
      sentValues &+= UInt64(count)
      write(range)
      return true
    }
    if committed.size + range.count > WriteBuffer.most, !isEmpty {
      writeCommitted()
      guard isDirect else { return false }
    }
    sentValues &+= UInt64(count)
    commit(range)
    return true
  }

  /// Appends a line that is encoded in the iteration buffer, and is never dropped.
  func append(line range: Range<Int>) {
    if isDirect || canCommit(range.count) { return commit(range) }
    if isClosed { return }
    queue.append(iteration.shared(range))
    settle()
  }

  /// Appends a line that `write` encodes, and that is never dropped.
  func append(_ write: (inout [UInt8]) -> Void) {
    iteration.closeBatch()
    let start = iteration.count
    write(&iteration.bytes)
    answeredBytes += iteration.count - start
    append(line: start..<iteration.count)
  }

  /// Appends retained values, which are encoded as space becomes available.
  func append(_ replay: Replay) {
    iteration.closeBatch()
    while isDirect, !replay.isEmpty {
      let start = iteration.count
      replay.appendNext(to: &iteration.bytes)
      commit(start..<iteration.count)
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
    committed.append(range, of: iteration)
    if !isScheduled { schedule() }
    if committed.size >= WriteBuffer.most && !committed.isBlocked { writeCommitted() }
  }

  private func schedule() {
    isScheduled = true
    if let owner { iteration.schedule(owner) }
  }

  private func hold(eventAt range: Range<Int>, _ subscriptionQueue: SubscriptionQueue, _ stream: EventEncoder) -> Bool {
    if isClosed { return false }
    if canCommit(range.count) {
      commit(range)
      return true
    }
    defer { settle() }
    let arrival = BoundedQueue.Arrival(
      subscriptionQueue: subscriptionQueue, stream: stream, charge: range.count + OutputQueue.entryOverhead)
    guard makeSpace(for: arrival), !isClosed else { return false }
    queue.append(iteration.shared(range), arrival)
    return true
  }

  // MARK: Eviction

  /// Evicts entries until an event fits.
  ///
  /// - Returns: `true` if the event is to be enqueued; otherwise it has been counted as dropped.
  private func makeSpace(for arrival: BoundedQueue.Arrival) -> Bool {
    while isPastBudget(with: arrival.charge) {
      // Only the user's memory is exhausted: the largest of its queues drops events.
      if heldBytes + arrival.charge <= queue.budget, account.makeSpace(for: arrival.charge) { continue }
      noteLag()
      switch queue.evict(to: arrival, canWait: iteration.hasSender && !charge.account.isExhausted) {
      case .admitted: return true
      case .refused: return false
      case .disconnected:
        owner?.disconnectSlow(exceeding: account.isExhausted ? .userMemory : .output)
        return false
      case .dropped: settle()
      }
    }
    return true
  }

  /// Applies another budget and evicts what exceeds it.
  func apply(budget: Int) {
    queue.budget = budget
    while isPastBudget(with: 0), let outcome = queue.evict() {
      noteLag()
      if case .disconnected = outcome { owner?.disconnectSlow(exceeding: .output) }
      settle()
    }
    settle()
  }

  func shed(_ bytes: Int) {
    let end = heldBytes - bytes
    while heldBytes > end, let outcome = queue.evict() {
      noteLag()
      if case .disconnected = outcome {
        owner?.disconnectSlow(exceeding: .userMemory)
        return
      }
      settle()
    }
  }

  /// Counts events as dropped that were not delivered, and reports them.
  func miss(_ count: Int, subscriptionQueue: SubscriptionQueue, stream: EventEncoder) {
    if isClosed { return }
    sentValues &+= UInt64(count)
    for _ in 0..<count { queue.miss(subscriptionQueue: subscriptionQueue, stream: stream) }
    noteLag()
    settle()
    if !committed.isBlocked, !isScheduled { schedule() }
  }

  private func isPastBudget(with charge: Int) -> Bool {
    !queue.isEmpty && (heldBytes + charge > queue.budget || self.charge.account.isExhausted)
  }

  private func noteLag() {
    if isLagging { return }
    isLagging = true
    owner?.didFallBehind()
  }

  /// Drops what is queued, for a client that is to get one final line.
  func dropQueue() {
    queue.removeAll()
    settle()
  }

  /// Drops everything, including what is appended from now on.
  func close() {
    isClosed = true
    committed.removeAll()
    dropQueue()
  }

  /// Updates the charge to the user's account, and calls `onSpace` once there is space.
  private func settle() {
    charge.update(to: chargedBytes)
    guard let onSpace, hasSpace else { return }
    self.onSpace = nil
    onSpace()
  }

  // MARK: Writing

  /// Writes as much as the kernel accepts, in one call; the owner does so at the end of an iteration.
  func flush() {
    isScheduled = false
    if committed.isEmpty { refill() }
    writeCommitted()
  }

  /// Writes what is committed within an iteration, at whose end the owner attends to what that has changed.
  private func writeCommitted() {
    if let owner, !committed.write(to: owner, of: iteration) { close() }
    settle()
  }

  /// Writes a range of the iteration buffer that has nothing before it.
  private func write(_ range: Range<Int>) {
    if let owner, !committed.write(range, to: owner, of: iteration) { schedule() }
  }

  private func refill() {
    if queue.isEmpty { return }
    var bytes = iteration.spares.take()
    queue.take(into: &bytes)
    committed.fill(with: bytes)
    if queue.isEmpty { isLagging = false }
  }
}

// MARK: - Handover

/// The owner of a subscription queue: a subscription of the send buffer's client.
protocol SubscriptionQueueOwner: AnyObject {
  var subscriptionQueue: SubscriptionQueue { get }
  /// The streams that deliver the events of its signals.
  var streams: [EventEncoder] { get }
}

extension SendBuffer {
  /// The unwritten committed bytes, between two iterations.
  var unwritten: ArraySlice<UInt8> { committed.rest }

  /// Encodes its contents, between two iterations.
  ///
  /// - Parameter owners: The subscriptions of its client, in the order of the handover.
  func encode(to writer: inout StateEncoder, of owners: [any SubscriptionQueueOwner], _ sharing: inout SharedParts) {
    isClosed.encode(to: &writer)
    isLagging.encode(to: &writer)
    sentValues.encode(to: &writer)
    committed.isBlocked.encode(to: &writer)
    writer.blob(Array(committed.rest))
    let parts = queue.queue.parts(behind: owners.map(\.subscriptionQueue))
    let strays = parts.subscriptionQueues[owners.count...]
    writer.count(strays.count)
    for subscriptionQueue in strays { subscriptionQueue.encode(to: &writer) }
    var ownerOf: [ObjectIdentifier: Int] = [:]
    if !parts.streams.isEmpty {
      for (number, owner) in owners.enumerated() {
        for stream in owner.streams { ownerOf[ObjectIdentifier(stream)] = number }
      }
    }
    writer.count(parts.streams.count)
    for stream in parts.streams {
      (ownerOf[ObjectIdentifier(stream)] ?? -1).encode(to: &writer)
      writer.text(stream.signal)
      stream.form.label.encode(to: &writer)
      stream.form.hasTimestamps.encode(to: &writer)
    }
    queue.queue.encode(to: &writer, parts, &sharing)
  }

  /// Restores the output of the process that has handed over.
  ///
  /// - Parameters:
  ///   - owners: The subscriptions, in the same order.
  ///   - makeStream: Makes a stream without subscriptions.
  func restore(
    from reader: inout StateDecoder, of owners: [any SubscriptionQueueOwner], _ sharing: inout SharedParts,
    makeStream: (_ signal: String, EventForm) -> EventEncoder
  ) throws(StateError) {
    isClosed = try Bool(from: &reader)
    isLagging = try Bool(from: &reader)
    sentValues = try UInt64(from: &reader)
    let isBlocked = try Bool(from: &reader)
    committed.resume(Array(try reader.blob()), isBlocked: isBlocked)
    var parts = QueueParts()
    for owner in owners { parts.append(owner.subscriptionQueue) }
    for _ in 0..<(try reader.count()) { parts.append(try SubscriptionQueue(from: &reader)) }
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

/// The client that a send buffer belongs to.
protocol SendBufferOwner: Flushable {
  /// Writes to the kernel and returns the number of bytes that it accepted; `nil` if the client has disconnected.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int?
  /// Disconnects a client that is too slow for a subscription that must not miss events.
  func disconnectSlow(exceeding limit: MemoryLimit)
  /// Called when the client misses events, or pauses others, for the first time since it was up to date.
  func didFallBehind()
}
