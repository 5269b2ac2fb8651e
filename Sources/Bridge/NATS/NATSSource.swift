internal import CNATS
internal import JSON
internal import Linux

/// A source that is fed from subjects or a stream, while its declaration is there.
final class NATSSource {
  let run: SignalRun
  /// The number that identifies it in the events of the library's threads.
  let number: Int
  let subject: String?
  let queue: String?
  let stream: String?
  let consumer: String?
  /// True if its values tell the subject and the headers beside the payload.
  let isMessage: Bool
  /// The part of its stream that the daemon has.
  var progress: StreamProgress
  /// True once the daemon knows that its stream is read, until it fails.
  var isKnownToWork = false
  var refusals = RefusalLog()
  private var subscription: NATSSubscription?
  private var reader: NATSStreamReader?
  private var lastReader = 0
  /// The position behind which its consumer is made where the daemon has none.
  private let floor = Monitor<StreamPosition?>(nil)

  init(_ declaration: SignalDeclaration, number: Int) throws(TaskFailure) {
    let settings = declaration.settings
    run = declaration.run
    self.number = number
    subject = settings.string("subject")
    queue = settings.string("queue")
    stream = settings.string("stream")
    consumer = settings.string("consumer").map(PrivateRun.name)
    isMessage = settings.string("as") == "message"
    progress = StreamProgress(declaration.position.flatMap { StreamPosition($0) })
    guard subject != nil || stream != nil && consumer != nil else {
      throw TaskFailure("bad_request", "the source has no subject and no stream")
    }
  }

  /// Subscribes, or begins to read the stream behind what the daemon has.
  func begin(_ link: NATSLink, _ inbox: NATSInbox, window: Int) throws(TaskFailure) {
    if let stream, let consumer {
      reader?.close()
      lastReader += 1
      let plan = NATSStreamReader.Plan(
        source: number, reader: lastReader, stream: stream, consumer: consumer, subject: subject,
        position: progress.position, floor: floor, window: window, withHeaders: isMessage)
      do throws(Errno) { reader = try NATSStreamReader(plan, link, inbox) } catch {
        throw TaskFailure("connect", "\(error)", isTemporary: true)
      }
    } else if subscription == nil, let subject {
      subscription = try NATSSubscription(
        number, subject: subject, queue: queue, withHeaders: isMessage, link, inbox)
    }
  }

  /// True for the reader whose messages count; those that an earlier one has left come again.
  func isCurrent(_ reader: Int) -> Bool { reader == lastReader }

  func end() {
    reader?.close()
    reader = nil
    subscription = nil
  }

  /// Returns how many messages the library has dropped since the last call.
  func takeDropped() -> Int { subscription?.takeDropped() ?? 0 }

  func value(of message: NATSMessage) -> SourceValue {
    var value = SourceValue(Body(message.payload), details: isMessage ? message.details : nil)
    if let place = message.stream {
      let position = StreamPosition(place.number, created: place.created)
      value.position = position.text
      value.message = "\(place.name):\(position.text)"
    }
    return value
  }
}

/// A subscription to a subject; its messages wait in the library while the inbox is full.
final class NATSSubscription {
  private let subscription: OpaquePointer
  private var reported = 0

  private final class Owner: Sendable {
    let number: Int
    let withHeaders: Bool
    let inbox: NATSInbox

    init(_ number: Int, _ withHeaders: Bool, _ inbox: NATSInbox) {
      self.number = number
      self.withHeaders = withHeaders
      self.inbox = inbox
    }
  }

  init(_ number: Int, subject: String, queue: String?, withHeaders: Bool, _ link: NATSLink, _ inbox: NATSInbox)
    throws(TaskFailure)
  {
    let owner = Unmanaged.passRetained(Owner(number, withHeaders, inbox))
    let handler: natsMsgHandler = { _, _, message, owner in
      guard let message, let owner else { return }
      let owned = Unmanaged<Owner>.fromOpaque(owner).takeUnretainedValue()
      _ = owned.inbox.put(owned.number, NATSMessage(message, withHeaders: owned.withHeaders))
      natsMsg_Destroy(message)
    }
    var subscription: OpaquePointer?
    let result =
      if let queue {
        natsConnection_QueueSubscribe(&subscription, link.connection, subject, queue, handler, owner.toOpaque())
      } else {
        natsConnection_Subscribe(&subscription, link.connection, subject, handler, owner.toOpaque())
      }
    guard result == NATS_OK, let subscription else {
      owner.release()
      throw TaskFailure("nats", "the subject: \(NATSLibrary.text(of: result))")
    }
    natsSubscription_SetOnCompleteCB(
      subscription, { owner in if let owner { Unmanaged<Owner>.fromOpaque(owner).release() } }, owner.toOpaque())
    self.subscription = subscription
  }

  func takeDropped() -> Int {
    var dropped: Int64 = 0
    guard natsSubscription_GetDropped(subscription, &dropped) == NATS_OK else { return 0 }
    defer { reported = Int(dropped) }
    return Int(dropped) - reported
  }

  deinit {
    natsSubscription_Unsubscribe(subscription)
    natsSubscription_Destroy(subscription)
  }
}
