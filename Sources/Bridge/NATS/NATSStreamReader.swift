internal import CNATS
internal import Linux

/// The thread that reads a stream by a durable consumer, in order and without gaps.
///
/// The consumer is made if it is missing. Where it has delivered messages that the daemon does not have, it is made
/// again behind the last one that the daemon has, so that they come at once and in their order.
final class NATSStreamReader: Sendable {
  struct Plan: Sendable {
    let source: Int
    let stream: String
    let consumer: String
    let subject: String?
    /// The number of the last message that the daemon has.
    let committed: UInt64?
    let window: Int
    let withHeaders: Bool
  }

  private let plan: Plan
  private let inbox: NATSInbox
  private let isClosed = Monitor(false)

  private static let patience: Int64 = 1_000

  init(_ plan: Plan, _ link: NATSLink, _ inbox: NATSInbox) throws(Errno) {
    self.plan = plan
    self.inbox = inbox
    _ = try Thread("nats-stream") { [self] in read(link) }
  }

  func close() { isClosed.withLock { $0 = true } }

  private var isOver: Bool { isClosed.withLock { $0 } || inbox.isClosed }

  private func read(_ link: NATSLink) {
    guard let subscription = subscribe(link) else { return }
    inbox.put(.reading(plan.source))
    defer {
      natsSubscription_Unsubscribe(subscription)
      natsSubscription_Destroy(subscription)
    }
    var last: UInt64?
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
        guard isWhole, !isOver, let arrived = arrived(message), arrived.stream.map({ isNext($0, &last) }) == true,
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
  private func isNext(_ place: NATSMessage.Place, _ last: inout UInt64?) -> Bool {
    defer { last = place.delivery }
    return last.map { place.delivery == $0 + 1 } ?? true
  }

  private func arrived(_ message: OpaquePointer) -> NATSMessage? {
    var data: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&data, message) == NATS_OK, let data else { return nil }
    defer { jsMsgMetaData_Destroy(data) }
    var arrived = NATSMessage(message, withHeaders: plan.withHeaders)
    arrived.stream = NATSMessage.Place(
      name: plan.stream, number: data.pointee.Sequence.Stream, delivery: data.pointee.Sequence.Consumer,
      acknowledgement: natsMsg_GetReply(message).map { String(cString: $0) } ?? "")
    return arrived
  }

  // MARK: The consumer

  private func subscribe(_ link: NATSLink) -> OpaquePointer? {
    while !isOver {
      var code = jsErrCode(rawValue: 0)
      if prepare(link, &code) {
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
        if status == NATS_OK { return subscription }
      }
      if code == JSStreamNotFoundErr {
        inbox.put(.failed(plan.source, "there is no stream \(plan.stream)"))
        return nil
      }
      nats_Sleep(500)
    }
    return nil
  }

  /// Makes the consumer, or makes it again where it is ahead of the daemon.
  private func prepare(_ link: NATSLink, _ code: inout jsErrCode) -> Bool {
    var info: UnsafeMutablePointer<jsConsumerInfo>?
    let status = js_GetConsumerInfo(&info, link.stream, plan.stream, plan.consumer, nil, &code)
    if status == NATS_OK, let present = info {
      let isAhead = present.pointee.Delivered.Stream > present.pointee.AckFloor.Stream
      let isBehind = plan.committed.map { present.pointee.Delivered.Stream != $0 } ?? false
      let floor = present.pointee.AckFloor.Stream
      jsConsumerInfo_Destroy(info)
      guard isAhead || isBehind else { return true }
      _ = js_DeleteConsumer(link.stream, plan.stream, plan.consumer, nil, nil)
      return add(link, behind: plan.committed ?? floor, &code)
    }
    guard code == JSConsumerNotFoundErr else { return false }
    return add(link, behind: plan.committed, &code)
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
