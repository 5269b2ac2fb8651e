internal import Signals

/// A trial of the servers of a cluster: checks the facts that the design rests on, in a stream of its own.
package final class ServerTrial {
  private let channels: [any ServerChannel]
  private let form: JetStreamLog
  private let rounds: Int
  private let end: ContinuousClock.Instant
  private var readers = 0

  /// The longest time for an answer.
  private static let patience = Duration.seconds(3)
  /// The records for a reader.
  private static let readCount: UInt64 = 200

  /// - Parameters:
  ///   - channels: Three connections, at best to different servers.
  ///   - name: A name that no graph has and no other trial.
  ///   - rounds: The number of concurrent appends.
  ///   - limit: The time for everything.
  package init(
    _ channels: [any ServerChannel], prefix: String, name: String, replicas: Int, rounds: Int = 100,
    within limit: Duration = .seconds(10)
  ) {
    precondition(channels.count == 3, "three publishers take part")
    self.channels = channels
    self.rounds = rounds
    form = JetStreamLog(JetStreamNames(prefix: prefix, log: LogName(graph: name)), replicas: replicas)
    end = .now + limit
  }

  // MARK: The stream

  /// Creates the stream of the trial, with the settings of a log.
  package func begin() throws(ServerFailure) -> ServerVersion {
    let reply = try ask(form.creations[0], "to the creation of a stream")
    if let error = JetStreamLog.error(in: reply) {
      throw ServerFailure("cannot create a stream with \(form.replicas) replicas: \(error.description)")
    }
    guard let version = ServerVersion(creation: reply.payload) else {
      throw ServerFailure("no JetStream there: the reply to the creation of a stream is none of its")
    }
    return version
  }

  /// Removes the stream.
  package func remove() throws(ServerFailure) {
    var isRemoved = false
    channels[0].request(form.removal) { _ in isRemoved = true }
    let end = ContinuousClock.now + Self.patience
    while !isRemoved {
      if .now >= end { throw ServerFailure("the stream \(form.names.stream) of the test may be left") }
      try channels[0].receive(within: .milliseconds(100))
    }
  }

  // MARK: Facts

  /// Checks a fact.
  ///
  /// - Returns: The extent of the check.
  package func check(_ fact: ServerFact) throws(ServerFailure) -> String {
    switch fact {
    case .fence: return try checkFence()
    case .acknowledgement: return try checkAcknowledgements()
    case .order: return try checkOrder()
    case .purge: return try checkPurge()
    case .size: return try checkSize()
    }
  }

  private func checkFence() throws(ServerFailure) -> String {
    let first = try last() + 1
    for round in 0..<UInt64(rounds) {
      let place = first + round
      var replies: [[UInt8]: StreamReply] = [:]
      for (number, channel) in channels.enumerated() {
        let bytes = Array("\(place) of publisher \(number)".utf8)
        let append = StreamRequest.append(.commit, bytes, after: place - 1)
        channel.request(form.message(for: append)) { [form] in replies[bytes] = form.reply($0, to: append) }
      }
      try wait("to three appends") { replies.count == channels.count }
      let stored = replies.filter { if case .stored = $0.value { true } else { false } }
      let refused = replies.values.count { if case .refused = $0 { true } else { false } }
      guard stored.count == 1, refused == 2, let winner = stored.first else {
        throw ServerFailure("round \(round + 1): \(stored.count) of three were stored and \(refused) refused")
      }
      try expect(winner.key, at: place, after: winner.value)
    }
    let end = try last()
    guard end == first + UInt64(rounds) - 1 else {
      throw ServerFailure("\(rounds) appends were acknowledged, and the stream has \(end - first + 1) more")
    }
    return "\(rounds) rounds"
  }

  private func checkAcknowledgements() throws(ServerFailure) -> String {
    let first = try last() + 1
    let count: UInt64 = 20
    for place in first..<first + count {
      let bytes = Array("record \(place)".utf8)
      let reply = try append(bytes, after: place - 1)
      try expect(bytes, at: place, after: reply)
    }
    return "\(count) appends"
  }

  private func checkOrder() throws(ServerFailure) -> String {
    let begin = try last()
    var replies: [StreamReply] = []
    for place in begin + 1...begin + Self.readCount {
      let append = StreamRequest.append(.commit, Array("\(place)".utf8), after: place - 1)
      channels[0].request(form.message(for: append)) { [form] in replies.append(form.reply($0, to: append)) }
    }
    try wait("to \(Self.readCount) appends") { replies.count == Self.readCount }
    let end = try last()
    var found: [StoredMessage] = []
    try read(from: begin + 1) {
      found.append($0)
    } until: {
      found.last?.sequence ?? 0 >= end
    }
    guard found.map(\.sequence) == Array(begin + 1...end) else {
      throw ServerFailure("expected the records \(begin + 1) to \(end), found \(found.map(\.sequence))")
    }
    guard let wrong = found.first(where: { $0.bytes != Array("\($0.sequence)".utf8) }) else {
      return "\(found.count) records"
    }
    throw ServerFailure("record \(wrong.sequence) was delivered with the bytes of another one")
  }

  private func checkPurge() throws(ServerFailure) -> String {
    var end = try last()
    while end < 2 {
      _ = try append([1], after: end)
      end += 1
    }
    _ = try reply(to: .purge(below: end))
    guard case .info(let first, let last) = try reply(to: .info), (first, last) == (end, end) else {
      throw ServerFailure("the purge of the records below \(end) has left others than record \(end)")
    }
    let bytes = Array("behind a purge".utf8)
    let acknowledgement = try append(bytes, after: end)
    try expect(bytes, at: end + 1, after: acknowledgement)
    return "\(end - 1) records purged"
  }

  private func checkSize() throws(ServerFailure) -> String {
    let place = try last() + 1
    let bytes = (0..<ForwardedSend.longestRequest + (4 << 10)).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
    let reply: StreamReply
    do throws(ServerFailure) { reply = try append(bytes, after: place - 1) } catch {
      throw ServerFailure("\(error) of \(bytes.count) bytes: the server's max_payload must be 1 MiB, its default")
    }
    try expect(bytes, at: place, after: reply)
    return "\(bytes.count) bytes"
  }

  // MARK: Steps

  private func last() throws(ServerFailure) -> UInt64 {
    guard case .info(_, let last) = try reply(to: .info) else { throw ServerFailure("the stream has no information") }
    return last
  }

  private func append(_ bytes: [UInt8], after: UInt64) throws(ServerFailure) -> StreamReply {
    try reply(to: .append(.commit, bytes, after: after))
  }

  private func reply(to request: StreamRequest) throws(ServerFailure) -> StreamReply {
    form.reply(try ask(form.message(for: request), "to an append"), to: request)
  }

  /// Checks that an append was acknowledged at a place, and stands there.
  private func expect(_ bytes: [UInt8], at place: UInt64, after reply: StreamReply) throws(ServerFailure) {
    guard reply == .stored(place) else { throw ServerFailure("an append at \(place) was answered by \(reply)") }
    guard try self.reply(to: .message(at: place)) == .message(StoredMessage(sequence: place, bytes: bytes)) else {
      throw ServerFailure("another record stands at \(place) than was acknowledged there")
    }
  }

  private func read(
    from sequence: UInt64, _ take: @escaping (StoredMessage) -> Void, until isDone: () -> Bool
  ) throws(ServerFailure) {
    readers += 1
    let (channel, name) = (channels[1], "trial-\(readers)")
    let inbox = "\(channel.inbox).reader.\(readers)"
    let number = channel.subscribe(inbox) { [unowned channel] message in
      switch ReaderMessage(message) {
      case .record(let record, _): take(record)
      case .flowControl(let subject): channel.publish(OutgoingMessage(subject: subject), reply: "")
      case .heartbeat, .ended, nil: break
      }
    }
    defer { channel.unsubscribe(number) }
    channel.request(form.startReader(name, from: sequence, inbox: inbox)) { _ in }
    try wait("of a reader", until: isDone)
    channel.request(form.stopReader(name)) { _ in }
  }

  private func ask(_ message: OutgoingMessage, _ what: String) throws(ServerFailure) -> IncomingMessage {
    var reply: IncomingMessage?
    channels[0].request(message) { reply = $0 }
    try wait(what) { reply != nil }
    guard let reply, reply.status == nil else { throw ServerFailure("no JetStream answers there") }
    return reply
  }

  private func wait(_ what: String, until isDone: () -> Bool) throws(ServerFailure) {
    let limit = min(end, .now + Self.patience)
    while !isDone() {
      if .now >= limit { throw ServerFailure("no answer in time \(what)") }
      for channel in channels where !isDone() { try channel.receive(within: .milliseconds(1)) }
    }
  }
}
