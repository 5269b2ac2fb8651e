package import Cluster
internal import Signals

/// The streams of one log with the semantics of JetStream, on three replicas, and with the faults of its servers.
///
/// What it holds is the truth of a simulation: `records` contains everything that was ever stored, purged or not.
package final class SimulatedStream {
  private struct Replica {
    /// The last sequence that it has; `nil` if it has all.
    var end: UInt64?
  }

  private struct Reader {
    let deliver: (StoredMessage) -> Void
    let heartbeat: (UInt64) -> Void
    let replica: Int
    /// The sequence of the next record to be sent.
    var next: UInt64
    /// The time before which nothing more arrives, which keeps the order.
    var arrival: Instant
    var lastSent: UInt64
  }

  private let time: SimulatedTime
  private var chance: SimulatedChance
  package var malice: StreamMalice
  /// True if the stream stores an append wherever the log ends: a fault that the simulation has to find.
  package var ignoresExpectations = false
  /// Called with each record at the moment at which it is stored.
  package var onStored: (StoredMessage) -> Void = { _ in }

  package private(set) var records: [StoredMessage] = []
  /// The sequence of the first record that is not purged.
  package private(set) var first: UInt64 = 1
  private var markers: [UInt64] = []
  private var chunks: [UInt64: [UInt8]] = [:]
  private var lastChunk: UInt64 = 0
  private var replicas = Array(repeating: Replica(), count: 3)
  private var isAvailable = true
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0

  package init(time: SimulatedTime, chance: SimulatedChance, malice: StreamMalice) {
    self.time = time
    self.chance = chance
    self.malice = malice
  }

  package var last: UInt64 { UInt64(records.count) }
  private var isAnyStale: Bool { replicas.contains { $0.end != nil } }

  // MARK: Faults

  /// Makes the stream lose its leader for a while.
  package func goAway(for duration: Duration) {
    isAvailable = false
    time.schedule(after: duration) { [unowned self] in isAvailable = true }
  }

  /// Loses the chunks of all snapshots.
  package func loseChunks() { chunks = [:] }

  /// Makes a replica lag behind for a while, though the leader calls it current.
  package func makeStale(_ index: Int, for duration: Duration) {
    guard replicas[index].end == nil else { return }
    replicas[index].end = UInt64(chance.number(Int(max(first, 1)) - 1...Int(last)))
    time.schedule(after: duration) { [unowned self] in
      replicas[index].end = nil
      for id in readers.keys.sorted() { send(id) }
    }
  }

  /// Loses the last records, though they were acknowledged.
  package func loseTail(_ count: Int) {
    let count = min(count, Int(last + 1 - first))
    records.removeLast(count)
    markers.removeAll { $0 > last }
    for index in replicas.indices where replicas[index].end ?? 0 > last { replicas[index].end = nil }
    let end = last
    readers = readers.mapValues { reader in
      var reader = reader
      reader.next = min(reader.next, end + 1)
      return reader
    }
  }

  // MARK: Requests

  package func submit(_ request: StreamRequest, reply: @escaping (StreamReply) -> Void) {
    if !chance.happens(malice.lostRequests) { process(request, after: latency(), reply) }
    if chance.happens(malice.repeatedRequests) {
      process(request, after: chance.milliseconds(0...(chance.happens(500) ? 1_500 : 20_000)), reply)
    }
  }

  private func latency() -> Duration {
    chance.happens(malice.slow) ? chance.milliseconds(100...3_000) : .microseconds(chance.number(200...3_000))
  }

  private func process(_ request: StreamRequest, after delay: Duration, _ reply: @escaping (StreamReply) -> Void) {
    time.schedule(after: delay) { [unowned self] in
      let answer = answer(to: request)
      if !chance.happens(malice.lostReplies) { time.schedule(after: latency()) { reply(answer) } }
      if chance.happens(malice.repeatedReplies) { time.schedule(after: latency()) { reply(answer) } }
    }
  }

  private func answer(to request: StreamRequest) -> StreamReply {
    guard isAvailable else { return .unavailable }
    switch request {
    case .append(let subject, let bytes, let after): return append(bytes, subject, after: after)
    case .message(let sequence):
      guard sequence >= first, sequence <= last, !lies() else { return .missing }
      return .message(records[Int(sequence - 1)])
    case .newestMarker:
      guard let marker = (lies() ? markers.dropLast() : markers[...]).last(where: { $0 >= first }) else {
        return .missing
      }
      return .message(records[Int(marker - 1)])
    case .info:
      guard lies() else { return .info(first: first, last: last) }
      let known = UInt64(chance.number(0...Int(last)))
      return .info(first: min(first, known), last: known)
    case .purge(let below):
      first = max(first, below <= 1 ? last + 1 : min(below, last + 1))
      return .purged
    case .appendChunk(let bytes):
      lastChunk += lastChunk == 0 ? 1 : UInt64(chance.number(1...3))
      chunks[lastChunk] = bytes
      return .stored(lastChunk)
    case .chunk(let sequence):
      guard let bytes = chunks[sequence], !lies() else { return .missing }
      return .message(StoredMessage(sequence: sequence, bytes: bytes))
    case .purgeChunks(let below):
      chunks = below <= 1 ? [:] : chunks.filter { $0.key >= below }
      return .purged
    }
  }

  /// Returns true if a server answers like a replica that lags behind.
  private func lies() -> Bool { isAnyStale && chance.happens(malice.lies) }

  private func append(_ bytes: [UInt8], _ subject: LogSubject, after: UInt64) -> StreamReply {
    guard after == last || ignoresExpectations else {
      // Both errors occur for this: 10071, which names the end, and 10164, which does not.
      return .refused(last: chance.happens(500) ? last : nil)
    }
    if chance.happens(malice.groundlessRefusals) { return .refused(last: chance.happens(500) ? last + 1 : nil) }
    records.append(StoredMessage(sequence: last + 1, bytes: bytes))
    onStored(records[records.count - 1])
    if subject == .snapshot { markers.append(last) }
    for id in readers.keys.sorted() { send(id) }
    return .stored(last)
  }

  // MARK: Readers

  /// Starts an ordered reader.
  ///
  /// - Returns: Its number, to stop it.
  package func read(
    from sequence: UInt64, deliver: @escaping (StoredMessage) -> Void, heartbeat: @escaping (UInt64) -> Void
  ) -> Int {
    lastReader += 1
    let id = lastReader
    if chance.happens(malice.lostRequests) { return id }
    readers[id] = Reader(
      deliver: deliver, heartbeat: heartbeat, replica: chance.number(0...2), next: max(sequence, first),
      arrival: time.now + latency(), lastSent: 0)
    send(id)
    beat(id)
    return id
  }

  package func stop(_ id: Int) { readers[id] = nil }

  /// Sends what the replica of a reader has.
  private func send(_ id: Int) {
    guard var reader = readers[id] else { return }
    reader.next = max(reader.next, first)
    let end = min(replicas[reader.replica].end ?? last, last)
    while reader.next <= end {
      let message = records[Int(reader.next - 1)]
      reader.arrival = max(reader.arrival, time.now + latency())
      let deliver = reader.deliver
      for _ in 0..<(chance.happens(malice.lostDeliveries) ? 0 : chance.happens(malice.repeatedDeliveries) ? 2 : 1) {
        time.schedule(at: reader.arrival) { deliver(message) }
      }
      reader.lastSent = reader.next
      reader.next += 1
    }
    readers[id] = reader
  }

  private func beat(_ id: Int) {
    time.schedule(after: .seconds(1)) { [weak self] in
      guard let self, let reader = readers[id] else { return }
      if isAvailable {
        time.schedule(at: max(reader.arrival, time.now)) { reader.heartbeat(reader.lastSent) }
      }
      beat(id)
    }
  }
}
