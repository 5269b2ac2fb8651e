internal import Signals
package import StateLog

/// The replacement of a clustered graph's log by a snapshot, from outside of its nodes, which are to be stopped.
///
/// The snapshot stands behind an opening of its own, and nothing before that counts any more: readers begin behind the
/// newest snapshot.
package final class LogReplacement {
  private let channel: any ServerChannel
  private let form: JetStreamLog
  private let begin = ContinuousClock.now

  /// The longest time without progress.
  private static let patience = Duration.seconds(10)
  private static let repetition = Duration.seconds(1)
  private static let pause = Duration.milliseconds(200)

  package init(_ channel: any ServerChannel, prefix: String, graph: String, replicas: Int) {
    self.channel = channel
    form = JetStreamLog(JetStreamNames(prefix: prefix, log: LogName(graph: graph)), replicas: replicas)
  }

  private var now: Instant { .zero + (ContinuousClock.now - begin) }

  // MARK: The streams

  /// Creates the streams of the log where there are none.
  package func createStreams() throws(ServerFailure) {
    for creation in form.creations {
      var reply: IncomingMessage?
      channel.request(creation) { reply = $0 }
      try wait("to the creation of a stream") { reply != nil }
      guard let reply, reply.status == nil else { throw ServerFailure("no JetStream answers there") }
      if let error = JetStreamLog.error(in: reply) {
        throw ServerFailure("cannot create the streams of the log: \(error.description)")
      }
    }
  }

  /// Returns true if the servers have no log of the graph yet.
  package func isMissing() throws(ServerFailure) -> Bool {
    var reply: IncomingMessage?
    channel.request(form.message(for: .info)) { reply = $0 }
    try wait("about the log") { reply != nil }
    return reply.flatMap(JetStreamLog.error)?.code == JetStreamError.noStream
  }

  /// Returns the sequence of the log's last record; 0 for an empty log.
  package func last() throws(ServerFailure) -> UInt64 {
    guard case .info(_, let last) = try ask(.info) else { throw ServerFailure("the log has no information") }
    return last
  }

  /// Listens for the nodes' heartbeats.
  ///
  /// - Parameter owning: True for the owner of the log alone.
  /// - Returns: The names of the nodes that live.
  package func livingNodes(owning: Bool) throws(ServerFailure) -> Set<String> {
    var names: Set<String> = []
    let number = channel.subscribe(form.names.heartbeatSubject) { [form] message in
      guard let heartbeat = NodeHeartbeat(message.payload) else { return }
      if !owning || heartbeat.owned.contains(where: { $0.log == form.names.log }) { names.insert(heartbeat.node) }
    }
    defer { channel.unsubscribe(number) }
    let end = now + NodeHeartbeat.interval * 3
    while now < end { try channel.receive(within: end - now) }
    return names
  }

  // MARK: Reading

  /// The part of a log that is sound.
  package struct SoundPart {
    package fileprivate(set) var snapshot: Snapshot?
    package fileprivate(set) var commits: [Commit] = []
    /// The sequence of its last record.
    package fileprivate(set) var last: UInt64 = 0
    package fileprivate(set) var damage: String?
  }

  /// Reads the log up to a sequence, or up to the first record that is damaged or missing.
  package func read(upTo last: UInt64) throws(ServerFailure) -> SoundPart {
    var limits = StreamLogLimits()
    limits.patience = Self.patience
    var log = StreamLog(limits)
    var part = SoundPart()
    var readers: [ReaderID: UInt32] = [:]
    var pending: [StreamLog.Output] = log.follow(at: now)
    _ = log.ownerReports(term: 0, boot: "", sequence: last)
    let name = OpenRecord.newBoot()
    var isOver = false
    while !isOver {
      let outputs = pending
      pending = []
      for output in outputs {
        switch output {
        case .recovered(let snapshot, _): (part.snapshot, part.commits) = (snapshot, [])
        case .read(.committed(let commit, _), _): part.commits.append(commit)
        case .damaged(let damage):
          part.damage = "\(damage)"
          isOver = true
        case .stream(.request(let id, let request)):
          channel.request(form.message(for: request)) { [form, weak self] message in
            guard let self else { return }
            pending += log.replied(to: id, form.reply(message, to: request), at: now)
          }
        case .stream(.startReader(let id, let from)):
          let inbox = "\(channel.inbox).d.\(id)"
          if readers[id] == nil {
            readers[id] = channel.subscribe(inbox) { [weak self] message in
              guard let self else { return }
              switch ReaderMessage(message) {
              case .record(let record, _): pending += log.delivered(record, to: id, at: now)
              case .heartbeat(let delivered): pending += log.heard(id, delivered: delivered, at: now)
              case .flowControl(let subject): channel.publish(OutgoingMessage(subject: subject), reply: "")
              case .ended, nil: break
              }
            }
          }
          channel.request(form.startReader("\(name)-\(id)", from: from, inbox: inbox)) { _ in }
        case .stream(.stopReader(let id)):
          if let number = readers.removeValue(forKey: id) { channel.unsubscribe(number) }
          channel.request(form.stopReader("\(name)-\(id)")) { _ in }
        case .read, .claimed, .claimRefused, .began, .committed, .snapshotTaken, .closed, .fenced: break
        }
      }
      part.last = log.cursor?.last ?? 0
      if part.last >= last, log.cursor != nil { isOver = true }
      if isOver || !pending.isEmpty { continue }
      try channel.receive(within: max(.zero, min(log.deadline - now, .milliseconds(100))))
      pending += log.timePassed(at: now)
    }
    for (id, number) in readers {
      channel.unsubscribe(number)
      channel.request(form.stopReader("\(name)-\(id)")) { _ in }
    }
    return part
  }

  // MARK: Writing

  /// Replaces everything up to a sequence by a snapshot, as the beginning of a new epoch.
  package func replace(
    upTo last: UInt64, by snapshot: Snapshot, _ reason: OpenRecord.Reason, program: String
  ) throws(ServerFailure) {
    let time = snapshot.time
    let open = OpenRecord(
      node: "state-\(reason.word)", boot: OpenRecord.newBoot(), reason: reason, program: program, format: 1,
      configuration: 0, signals: [])
    let term = last + 1
    let opening = LogRecord(term: term, chain: 0, time: time, .open(open)).bytes
    try append(opening, .open, after: last)
    // Nothing before the opening counts: the chain begins with it.
    var chain = Self.chain(0, opening)
    let bytes = snapshot.encoded(emitted: [])
    let marker = SnapshotMarker(
      number: snapshot.number, time: time, hash: snapshot.hash, sequence: term, chain: chain, epoch: open.boot,
      chunks: try writeChunks(bytes, of: snapshot, term), size: bytes.count, checksum: Checksum.of(bytes[...]))
    let record = LogRecord(term: term, chain: chain, time: time, .snapshot(marker)).bytes
    try append(record, .snapshot, after: term)
    chain = Self.chain(chain, record)
    let close = LogRecord(term: term, chain: chain, time: time, .close(CloseRecord(successor: nil))).bytes
    try append(close, .open, after: term + 1)
    _ = try ask(.purge(below: term + 1))
    if let first = marker.chunks.first, first > 1 { _ = try ask(.purgeChunks(below: first)) }
  }

  private static func chain(_ chain: UInt64, _ record: [UInt8]) -> UInt64 {
    var chained = Checksum()
    chained.add(chain)
    chained.add(RecordBytes.checksum(of: record))
    return chained.bits
  }

  private func writeChunks(
    _ bytes: [UInt8], of snapshot: Snapshot, _ term: UInt64
  ) throws(ServerFailure) -> [UInt64] {
    let size = StreamLogLimits().chunkSize
    let count = (bytes.count + size - 1) / size
    var places: [UInt64] = []
    for index in 0..<count {
      let chunk = SnapshotChunk(
        number: snapshot.number, index: UInt16(index), count: UInt32(count),
        bytes: bytes.dropFirst(index * size).prefix(size))
      let record = LogRecord(term: term, chain: 0, time: snapshot.time, .chunk(chunk)).bytes
      guard case .stored(let sequence) = try ask(.appendChunk(record)) else {
        throw ServerFailure("chunk \(index + 1) of \(count) of the snapshot was not stored")
      }
      places.append(sequence)
    }
    return places
  }

  private func append(_ record: [UInt8], _ subject: LogSubject, after: UInt64) throws(ServerFailure) {
    switch try ask(.append(subject, record, after: after)) {
    case .stored(after + 1): return
    default:
      // An earlier copy may have been stored.
      let found = try ask(.message(at: after + 1))
      if found == .message(StoredMessage(sequence: after + 1, bytes: record)) { return }
      throw ServerFailure("another record stands at \(after + 1): stop the daemon that runs the graph first")
    }
  }

  // MARK: Requests

  /// Asks until there is an answer.
  private func ask(_ request: StreamRequest) throws(ServerFailure) -> StreamReply {
    let end = now + Self.patience
    while now < end {
      var reply: StreamReply?
      channel.request(form.message(for: request)) { [form] in reply = form.reply($0, to: request) }
      let repetition = now + Self.repetition
      while reply == nil, now < repetition { try channel.receive(within: repetition - now) }
      if let reply, reply != .unavailable { return reply }
      let pause = now + Self.pause
      while now < pause { try channel.receive(within: pause - now) }
    }
    throw ServerFailure("the servers do not answer")
  }

  private func wait(_ what: String, until isDone: () -> Bool) throws(ServerFailure) {
    let end = now + Self.patience
    while !isDone() {
      if now >= end { throw ServerFailure("no answer in time \(what)") }
      try channel.receive(within: .milliseconds(100))
    }
  }
}
