internal import CNATS
internal import Linux
internal import WireProtocol

/// A connection of libnats for the relay, until it is lost: messages as they are, without JetStream.
///
/// The thread that connects passes it to that of the loop, which alone uses it from then on.
final class RelayLink: @unchecked Sendable {
  private let connection: OpaquePointer
  private let inbox: RelayInbox
  private var subscriptions: [UInt32: OpaquePointer] = [:]
  /// The library reads them at each connection.
  private let credentials: MemoryFile?

  /// The interval of a server's pings, in milliseconds: one that misses two of them is lost.
  private static let pingInterval: Int64 = 500
  private static let connectTime: Int64 = 1_000

  /// Connects; it blocks until the first server has answered.
  init(_ settings: NATSSettings, _ inbox: RelayInbox) throws(TaskFailure) {
    let credentials: MemoryFile?
    do throws(Errno) { credentials = try settings.credentials.map(MemoryFile.init) } catch {
      throw TaskFailure("connect", "\(error)")
    }
    let options = try settings.options(credentials)
    defer { natsOptions_Destroy(options) }
    natsOptions_SetPingInterval(options, Self.pingInterval)
    natsOptions_SetMaxPingsOut(options, 2)
    natsOptions_SetTimeout(options, Self.connectTime)
    // One thread delivers all messages, and none waits a millisecond for others to be sent with it.
    natsOptions_UseGlobalMessageDelivery(options, true)
    natsOptions_SetSendAsap(options, true)
    // The library calls until the connection is destroyed; the inbox stays, with a few bytes.
    let owner = Unmanaged.passRetained(inbox)
    natsOptions_SetClosedCB(
      options,
      { _, owner in
        if let owner { Unmanaged<RelayInbox>.fromOpaque(owner).takeUnretainedValue().put(.closed) }
      }, owner.toOpaque())
    natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil)
    var connection: OpaquePointer?
    let result = natsConnection_Connect(&connection, options)
    guard result == NATS_OK, let connection else {
      owner.release()
      throw TaskFailure("connect", NATSLibrary.text(of: result), isTemporary: true)
    }
    (self.connection, self.inbox, self.credentials) = (connection, inbox, credentials)
  }

  deinit {
    for subscription in subscriptions.values { natsSubscription_Destroy(subscription) }
    natsConnection_Destroy(connection)
  }

  var isClosed: Bool { natsConnection_IsClosed(connection) }

  /// The address of the server.
  var server: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard natsConnection_GetConnectedUrl(connection, &buffer, buffer.count) == NATS_OK else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Publishes a message; one that a lost connection does not take is lost, as those under way are.
  func publish(_ message: RelayMessage) {
    var made: OpaquePointer?
    let status = message.payload.withUnsafeBytes { bytes in
      natsMsg_Create(
        &made, message.subject, message.reply.isEmpty ? nil : message.reply,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    guard status == NATS_OK, made != nil else { return }
    defer { natsMsg_Destroy(made) }
    for (key, value) in message.headers { natsMsgHeader_Set(made, key, value) }
    natsConnection_PublishMsg(connection, made)
  }

  private final class Owner: Sendable {
    let number: UInt32
    let inbox: RelayInbox

    init(_ number: UInt32, _ inbox: RelayInbox) { (self.number, self.inbox) = (number, inbox) }
  }

  func subscribe(_ number: UInt32, to subject: String) {
    let owner = Unmanaged.passRetained(Owner(number, inbox))
    var subscription: OpaquePointer?
    let result = natsConnection_Subscribe(
      &subscription, connection, subject,
      { _, _, message, owner in
        guard let message, let owner else { return }
        let owned = Unmanaged<Owner>.fromOpaque(owner).takeUnretainedValue()
        let taken = NATSMessage(message, withHeaders: true)
        let reply = natsMsg_GetReply(message).map { String(cString: $0) } ?? ""
        natsMsg_Destroy(message)
        owned.inbox.put(
          .frame(
            .message(
              owned.number,
              RelayMessage(
                subject: taken.subject, reply: reply, headers: taken.headers, payload: taken.payload))))
      }, owner.toOpaque())
    guard result == NATS_OK, let subscription else { return owner.release() }
    natsSubscription_SetOnCompleteCB(
      subscription, { owner in if let owner { Unmanaged<Owner>.fromOpaque(owner).release() } }, owner.toOpaque())
    subscriptions[number] = subscription
  }

  func unsubscribe(_ number: UInt32) {
    guard let subscription = subscriptions.removeValue(forKey: number) else { return }
    natsSubscription_Unsubscribe(subscription)
    natsSubscription_Destroy(subscription)
  }
}
