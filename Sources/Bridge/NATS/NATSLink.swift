internal import CNATS
internal import Glibc
internal import Linux

/// A connection of libnats to a server, until it is lost.
final class NATSLink: @unchecked Sendable {
  let connection: OpaquePointer
  let stream: OpaquePointer
  private let refusals: NATSRefusals
  /// The library reads them at each connection.
  private let credentials: MemoryFile?
  private let owner: Owner

  /// The inbox for the library's calls, until the connection is destroyed: the last call may come later.
  private final class Owner: Sendable {
    private let inbox: Monitor<NATSInbox?>

    init(_ inbox: NATSInbox) { self.inbox = Monitor(inbox) }

    func put(_ event: NATSInbox.Event) { inbox.withLock { $0 }?.put(event) }
    func end() { inbox.withLock { $0 = nil } }
  }

  /// Connects; it blocks until the first server has answered.
  init(_ settings: NATSSettings, _ inbox: NATSInbox) throws(TaskFailure) {
    let credentials: MemoryFile?
    do throws(Errno) { credentials = try settings.credentials.map(MemoryFile.init) } catch {
      throw TaskFailure("connect", "\(error)")
    }
    let options = try settings.options(credentials)
    defer { natsOptions_Destroy(options) }
    let present = Owner(inbox)
    let owner = Unmanaged.passRetained(present)
    natsOptions_SetDisconnectedCB(
      options,
      { connection, owner in
        var text: UnsafePointer<CChar>?
        _ = natsConnection_GetLastError(connection, &text)
        let reason = text.map { String(cString: $0) } ?? ""
        NATSLink.owner(owner)?.put(.lost(reason.isEmpty ? "the server has closed the connection" : reason))
      }, owner.toOpaque())
    natsOptions_SetClosedCB(options, { _, owner in NATSLink.owner(owner)?.put(.closed) }, owner.toOpaque())
    natsOptions_SetErrorHandler(
      options,
      { _, _, status, owner in
        let event = status == NATS_SLOW_CONSUMER ? NATSInbox.Event.dropping : .note(NATSLibrary.text(of: status))
        NATSLink.owner(owner)?.put(event)
      }, owner.toOpaque())
    var connection: OpaquePointer?
    let result = natsConnection_Connect(&connection, options)
    guard result == NATS_OK, let connection else {
      owner.release()
      throw TaskFailure("connect", NATSLibrary.text(of: result), isTemporary: true)
    }
    var jetStreamOptions = jsOptions()
    jsOptions_Init(&jetStreamOptions)
    jetStreamOptions.PublishAsync.MaxPending = Int64(settings.window)
    let refusals = NATSRefusals()
    jetStreamOptions.PublishAsync.ErrHandler = { _, error, owner in
      guard let error, let owner else { return }
      Unmanaged<NATSRefusals>.fromOpaque(owner).takeUnretainedValue().note(error.pointee)
    }
    jetStreamOptions.PublishAsync.ErrHandlerClosure = Unmanaged.passRetained(refusals).toOpaque()
    var stream: OpaquePointer?
    guard natsConnection_JetStream(&stream, connection, &jetStreamOptions) == NATS_OK, let stream else {
      natsConnection_Destroy(connection)
      present.end()
      throw TaskFailure("connect", "no context of JetStream can be made")
    }
    self.connection = connection
    self.stream = stream
    self.refusals = refusals
    self.credentials = credentials
    self.owner = present
  }

  /// Acknowledges a message of a stream; where that is lost, the consumer is made again behind it.
  func acknowledge(_ place: NATSMessage.Place) {
    let answer = "+ACK"
    _ = natsConnection_Publish(connection, place.acknowledgement, answer, Int32(answer.utf8.count))
  }

  /// Takes the messages that streams have refused, by their names.
  func takeRefused() -> [String: String] { refusals.take() }

  private static func owner(_ owner: UnsafeMutableRawPointer?) -> Owner? {
    owner.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
  }

  var isClosed: Bool { natsConnection_IsClosed(connection) }

  deinit {
    jsCtx_Destroy(stream)
    natsConnection_Destroy(connection)
    // The last call of the library may be under way: the owner stays, with a few bytes and without the inbox.
    owner.end()
  }
}
