internal import CNATS
internal import JSON
internal import Linux

/// The thread that publishes the messages of a connection: as many at once as there are, then it waits until the servers
/// have them.
final class NATSPublisher: Sendable {
  /// A message of a task.
  struct Message: Sendable {
    /// The number that tells its end from those of others, also after another daemon has come.
    let number: Int
    /// The signal that publishes it.
    let signal: String
    let key: String
    let subject: String
    let payload: [UInt8]
    /// True if a stream has to acknowledge it.
    let isStored: Bool
    let added = MonotonicInstant.now()

    init(_ task: AdapterTask, number: Int) throws(TaskFailure) {
      guard let subject = task.request.string("subject") else {
        throw TaskFailure("bad_request", "a message needs a subject")
      }
      self.number = number
      signal = task.signal
      key = task.key
      self.subject = subject
      payload = Array((task.request.string("payload") ?? "").utf8)
      isStored = task.request.flag("stream")
    }
  }

  private struct Queue {
    var messages: [Message] = []
    var isClosed = false
  }

  /// The last temporary failures, by the signals that publish.
  ///
  /// The daemon gives a failed message again after a second, and before those behind it. The ones that it had given before
  /// it knew of the failure come at once; they fail as well, for the same reason.
  private struct Failures {
    private var last: [String: (time: MonotonicInstant, failure: TaskFailure)] = [:]
    private static let crossing = Duration.milliseconds(500)

    mutating func note(_ failure: TaskFailure, of message: Message) { last[message.signal] = (.now(), failure) }

    /// Returns the failure of a message ahead of another one.
    func ahead(of message: Message) -> TaskFailure? {
      guard let last = last[message.signal], message.added < last.time + Self.crossing else { return nil }
      return last.failure
    }
  }

  private let queue = Monitor(Queue())
  private let inbox: NATSInbox

  /// The longest time that servers may take for an answer, in milliseconds.
  private static let patience: Int64 = 5_000

  init(_ link: NATSLink, _ inbox: NATSInbox) throws(Errno) {
    self.inbox = inbox
    _ = try Thread("nats-publish") { [self] in
      var failures = Failures()
      while let batch = next() { publish(batch, link, &failures) }
    }
  }

  func add(_ message: Message) {
    queue.withLock { $0.messages.append(message) }
    queue.ring()
  }

  func close() {
    queue.withLock { $0.isClosed = true }
    queue.ring()
  }

  private func next() -> [Message]? {
    let batch = queue.wait(until: nil) { queue -> [Message]? in
      if queue.isClosed { return [] }
      guard !queue.messages.isEmpty else { return nil }
      defer { queue.messages = [] }
      return queue.messages
    }
    return batch?.isEmpty == false ? batch : nil
  }

  private func publish(_ batch: [Message], _ link: NATSLink, _ failures: inout Failures) {
    var sent: [Message] = []
    for message in batch {
      if let failure = failures.ahead(of: message) {
        inbox.put(.done(message.number, failure))
      } else if let failure = publish(message, link) {
        finish(message, failure, &failures)
      } else {
        sent.append(message)
      }
    }
    let stored = sent.filter(\.isStored)
    let plain = sent.filter { !$0.isStored }
    if !plain.isEmpty {
      let result = natsConnection_FlushTimeout(link.connection, Self.patience)
      let failure = TaskFailure("connect", NATSLibrary.text(of: result), isTemporary: true)
      for message in plain { finish(message, result == NATS_OK ? nil : failure, &failures) }
    }
    if !stored.isEmpty { awaitStream(stored, link, &failures) }
  }

  private func finish(_ message: Message, _ failure: TaskFailure?, _ failures: inout Failures) {
    if let failure, failure.isTemporary { failures.note(failure, of: message) }
    inbox.put(.done(message.number, failure))
  }

  private func publish(_ message: Message, _ link: NATSLink) -> TaskFailure? {
    var made: OpaquePointer?
    let status = message.payload.withUnsafeBytes { bytes in
      natsMsg_Create(
        &made, message.subject, nil, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    guard status == NATS_OK, made != nil else { return Self.failure(status) }
    defer { natsMsg_Destroy(made) }
    if !message.key.isEmpty { natsMsgHeader_Set(made, "Nats-Msg-Id", message.key) }
    let result =
      message.isStored
      ? js_PublishMsgAsync(link.stream, &made, nil) : natsConnection_PublishMsg(link.connection, made)
    return result == NATS_OK ? nil : Self.failure(result)
  }

  private static func failure(_ status: natsStatus) -> TaskFailure {
    switch status {
    case NATS_MAX_PAYLOAD: TaskFailure("too_large", "the servers take no message of this size")
    case NATS_INVALID_SUBJECT, NATS_INVALID_ARG: TaskFailure("bad_request", NATSLibrary.text(of: status))
    default: TaskFailure("connect", NATSLibrary.text(of: status), isTemporary: true)
    }
  }

  /// Waits until the streams have acknowledged; those that have not are tried again, with the same name.
  private func awaitStream(_ messages: [Message], _ link: NATSLink, _ failures: inout Failures) {
    var options = jsPubOptions()
    jsPubOptions_Init(&options)
    options.MaxWait = Self.patience
    _ = js_PublishAsyncComplete(link.stream, &options)
    var pending = natsMsgList()
    var missing: Set<String> = []
    if js_PublishAsyncGetPendingList(&pending, link.stream) == NATS_OK {
      for place in 0..<Int(pending.Count) {
        var key: UnsafePointer<CChar>?
        if natsMsgHeader_Get(pending.Msgs[place], "Nats-Msg-Id", &key) == NATS_OK, let key {
          missing.insert(String(cString: key))
        }
      }
      natsMsgList_Destroy(&pending)
    }
    let refused = link.takeRefused()
    for message in messages {
      let failure: TaskFailure? =
        if let reason = refused[message.key] {
          TaskFailure("nats", "no stream has taken it: \(reason)", isTemporary: true)
        } else if missing.contains(message.key) {
          TaskFailure("timeout", "no stream has acknowledged it", isTemporary: true)
        } else {
          nil
        }
      finish(message, failure, &failures)
    }
  }
}
