internal import CNATS
internal import Linux

/// The thread that reads a stream by a durable consumer, in order and without gaps.
///
/// The consumer is made if it is missing. Where it has delivered messages that the daemon does not have, it is made
/// again behind the last one that the daemon has, so that they come at once and in their order. A stream that was made again is
/// read from its first message.
final class NATSStreamReader: Sendable {
  struct Plan: Sendable {
    let source: Int
    let reader: Int
    let stream: String
    let consumer: String
    let subject: String?
    /// The position of the last message that the daemon has.
    let position: StreamPosition?
    /// The position behind which the consumer is made where the daemon has none; it outlives the reader.
    let floor: Monitor<StreamPosition?>
    let window: Int
    let withHeaders: Bool
  }

  private let plan: Plan
  private let inbox: NATSInbox
  private let state = Monitor(State())

  private struct State: Sendable {
    var isClosed = false
    var subscription: UncheckedPointer?
  }

  private static let patience: Int64 = 1_000

  init(_ plan: Plan, _ link: NATSLink, _ inbox: NATSInbox) throws(Errno) {
    self.plan = plan
    self.inbox = inbox
    _ = try Thread("nats-stream") { [self] in read(link) }
  }

  /// Ends it, and has the servers deliver nothing more to it: the next reader is on another thread.
  func close() {
    state.withLock { state in
      state.isClosed = true
      if let subscription = state.subscription { natsSubscription_Unsubscribe(subscription.pointer) }
    }
  }

  private var isOver: Bool { state.withLock { $0.isClosed } || inbox.isClosed }

  private func read(_ link: NATSLink) {
    guard let (subscription, stream, delivered) = subscribe(link) else { return }
    state.withLock { $0.subscription = UncheckedPointer(subscription) }
    inbox.put(
      .reading(plan.source, reader: plan.reader, created: stream.created, isAnother: stream.isAnother))
    defer {
      state.withLock { $0.subscription = nil }
      natsSubscription_Unsubscribe(subscription)
      natsSubscription_Destroy(subscription)
    }
    var last = delivered
    while !isOver {
      var list = natsMsgList()
      let status = natsSubscription_Fetch(&list, subscription, Int32(min(plan.window, 256)), Self.patience, nil)
      if status != NATS_OK, status != NATS_TIMEOUT {
        if isOver { return }
        nats_Sleep(200)
        if status != NATS_CONNECTION_DISCONNECTED { return interrupt() }
        continue
      }
      var isWhole = true
      for place in 0..<Int(list.Count) {
        guard let message = list.Msgs[place] else { continue }
        list.Msgs[place] = nil
        defer { natsMsg_Destroy(message) }
        // One that came too late for this reader is for the next one.
        if isOver { natsMsg_Nak(message, nil) }
        guard isWhole, !isOver, let arrived = arrived(message, stream.created),
          arrived.stream.map({ isNext($0, &last) }) == true,
          inbox.put(plan.source, arrived)
        else {
          isWhole = false
          continue
        }
      }
      natsMsgList_Destroy(&list)
      if !isWhole, !isOver { return interrupt() }
    }
  }

  private func interrupt() { inbox.put(.interrupted(plan.source)) }

  /// Returns true if no delivery is missing before a message.
  private func isNext(_ place: NATSMessage.Place, _ last: inout UInt64) -> Bool {
    defer { last = place.delivery }
    return place.delivery == last + 1
  }

  private func arrived(_ message: OpaquePointer, _ created: Int64?) -> NATSMessage? {
    var data: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&data, message) == NATS_OK, let data else { return nil }
    defer { jsMsgMetaData_Destroy(data) }
    var arrived = NATSMessage(message, withHeaders: plan.withHeaders)
    arrived.stream = NATSMessage.Place(
      name: plan.stream, created: created, number: data.pointee.Sequence.Stream, reader: plan.reader,
      delivery: data.pointee.Sequence.Consumer,
      acknowledgement: natsMsg_GetReply(message).map { String(cString: $0) } ?? "")
    return arrived
  }

  // MARK: The consumer

  private func subscribe(_ link: NATSLink) -> (OpaquePointer, Stream, delivered: UInt64)? {
    while !isOver {
      var code = jsErrCode(rawValue: 0)
      if let present = stream(link, &code), let delivered = prepare(link, present, &code) {
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        var subscription: OpaquePointer?
        let status = plan.stream.withCString { stream in
          plan.consumer.withCString { consumer in
            options.Stream = stream
            options.Consumer = consumer
            return js_PullSubscribe(&subscription, link.stream, plan.subject, consumer, nil, &options, &code)
          }
        }
        if status == NATS_OK, let subscription { return (subscription, present, delivered) }
      }
      if code == JSStreamNotFoundErr {
        inbox.put(.failed(plan.source, "there is no stream \(plan.stream)"))
        return nil
      }
      nats_Sleep(500)
    }
    return nil
  }

  /// The stream as it is now.
  private struct Stream {
    let created: Int64?
    /// True if the position is one of a former stream of its name.
    let isAnother: Bool
    /// The number of the message behind which reading begins; `nil` where none is known.
    let start: UInt64?
  }

  private func stream(_ link: NATSLink, _ code: inout jsErrCode) -> Stream? {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    let start = plan.position ?? plan.floor.withLock { $0 }
    let status = js_GetStreamInfo(&info, link.stream, plan.stream, nil, &code)
    // A client may be allowed to read a stream, and not to ask about it: the servers do not answer then.
    if status == NATS_TIMEOUT { return Stream(created: start?.created, isAnother: false, start: start?.number) }
    guard status == NATS_OK, let info else { return nil }
    defer { jsStreamInfo_Destroy(info) }
    let (created, last) = (info.pointee.Created, info.pointee.State.LastSeq)
    let isAnother = start?.isForeign(created: created, last: last) ?? false
    return Stream(created: created, isAnother: isAnother, start: isAnother ? 0 : start?.number)
  }

  /// Makes the consumer, or makes it again where it is ahead of the daemon.
  ///
  /// - Returns: The number of its last delivery.
  private func prepare(_ link: NATSLink, _ stream: Stream, _ code: inout jsErrCode) -> UInt64? {
    var info: UnsafeMutablePointer<jsConsumerInfo>?
    let status = js_GetConsumerInfo(&info, link.stream, plan.stream, plan.consumer, nil, &code)
    if status == NATS_OK, let present = info {
      let (delivered, acknowledged) = (present.pointee.Delivered, present.pointee.AckFloor.Stream)
      jsConsumerInfo_Destroy(info)
      let isElsewhere = stream.start.map { delivered.Stream != $0 } ?? false
      guard delivered.Stream > acknowledged || isElsewhere else { return delivered.Consumer }
      let start = stream.start ?? acknowledged
      // The next attempt may find no consumer, and needs to know where this one was.
      plan.floor.withLock { $0 = StreamPosition(start, created: stream.created) }
      _ = js_DeleteConsumer(link.stream, plan.stream, plan.consumer, nil, nil)
      return add(link, behind: start, &code) ? 0 : nil
    }
    guard code == JSConsumerNotFoundErr else { return nil }
    return add(link, behind: stream.start, &code) ? 0 : nil
  }

  private func add(_ link: NATSLink, behind committed: UInt64?, _ code: inout jsErrCode) -> Bool {
    var config = jsConsumerConfig()
    jsConsumerConfig_Init(&config)
    config.AckPolicy = js_AckExplicit
    config.AckWait = 30_000_000_000
    if PrivateRun.isPresent { config.InactiveThreshold = 300_000_000_000 }
    config.MaxAckPending = Int64(max(plan.window, 256) * 4)
    if let committed {
      config.DeliverPolicy = js_DeliverByStartSequence
      config.OptStartSeq = committed + 1
    } else {
      config.DeliverPolicy = js_DeliverAll
    }
    let status = plan.consumer.withCString { consumer in
      config.Durable = consumer
      guard let subject = plan.subject else {
        return js_AddConsumer(nil, link.stream, plan.stream, &config, nil, &code)
      }
      return subject.withCString { subject in
        config.FilterSubject = subject
        return js_AddConsumer(nil, link.stream, plan.stream, &config, nil, &code)
      }
    }
    return status == NATS_OK
  }
}
