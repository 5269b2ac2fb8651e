internal import CMosquitto
internal import Glibc
internal import Linux

/// A client of libmosquitto on the program's loop.
///
/// The library acknowledges a message before its callback has returned, but writes nothing by itself: it takes the loop
/// for a thread beside it. What it has to write waits while messages are not answered yet (`isHeldUp`), so that an
/// acknowledgement leaves once the daemon has the message.
final class MQTTClient: PollTarget {
  /// Called when the broker has accepted the client.
  var connected: (_ hasSession: Bool) -> Void = { _ in }
  /// Called once when an attempt has failed or the connection has ended.
  var lost: (_ reason: String) -> Void = { _ in }
  var received: (MQTTMessage) -> Void = { _ in }
  /// Called when a message has been taken, with the reason if the broker refuses it.
  var published: (Int32, _ refusal: Int32?) -> Void = { _, _ in }
  var subscribed: (Int32, _ refusal: Int32?) -> Void = { _, _ in }
  /// True while nothing may be written.
  var isHeldUp: () -> Bool = { false }
  /// True while nothing may be read.
  var isPaused: () -> Bool = { false }

  let settings: MQTTSettings
  private let loop: EventLoop
  private let poller: Poller
  private let mosquitto: OpaquePointer
  private var key: Poller.Key?
  private var number: Int32 = -1
  private var interest: Readiness = []
  private var ticks: LoopTimer?
  private var connecting: BackgroundCall<Int32>?
  private(set) var isConnected = false
  private var isFlushPosted = false
  /// True if the posted flush reads before.
  private var readsOn = false
  /// Counts the callbacks, to see whether a call has brought anything.
  private var callbacks = 0
  private var isClosed = false

  /// The most packets that are read before others are served.
  private static let mostPackets = 64

  init(_ settings: MQTTSettings, isPersistent: Bool, loop: EventLoop, poller: Poller) throws(TaskFailure) {
    MQTTLibrary.load()
    self.settings = settings
    self.loop = loop
    self.poller = poller
    let isClean = !isPersistent
    guard let mosquitto = mosquitto_new(settings.client, isClean, nil) else {
      throw TaskFailure("connect", "no client of MQTT can be made")
    }
    self.mosquitto = mosquitto
    mosquitto_user_data_set(mosquitto, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_threaded_set(mosquitto, true)
    let version = settings.isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, Int32(version))
    mosquitto_int_option(mosquitto, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(settings.window))
    mosquitto_int_option(mosquitto, MOSQ_OPT_SEND_MAXIMUM, Int32(settings.window))
    if settings.port != 0 { mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1) }
    if let user = settings.user { mosquitto_username_pw_set(mosquitto, user, settings.password) }
    try setWill()
    try setFiles()
    setCallbacks()
    ticks = try? loop.addTimer { [unowned self] in tick() }
  }

  deinit { mosquitto_destroy(mosquitto) }

  private func setWill() throws(TaskFailure) {
    guard let will = settings.will else { return }
    let result = mosquitto_will_set_v5(
      mosquitto, will.topic, Int32(will.payload.count), will.payload, will.qos, will.isRetained, nil)
    if result != 0 { throw TaskFailure("bad_request", "the will: \(MQTTLibrary.text(of: result, errno))") }
  }

  private func setFiles() throws(TaskFailure) {
    guard let files = settings.tls else { return }
    let folder = files.authorities == nil ? "/etc/ssl/certs" : nil
    let result = mosquitto_tls_set(mosquitto, files.authorities, folder, files.certificate, files.key, nil)
    if result != 0 { throw TaskFailure("tls", "the files for TLS: \(MQTTLibrary.text(of: result, errno))") }
  }

  // MARK: Connecting

  /// The longest packet that the broker may send, in bytes; it drops longer ones silently.
  private static let longestPacket: UInt32 = 64 << 20 + 131_072

  /// Begins to connect; the name of the host is resolved on a thread of its own.
  func connect(isPersistent: Bool) {
    guard connecting == nil, !isConnected, !isClosed else { return }
    let (client, settings, longestPacket) = (UncheckedPointer(mosquitto), settings, Self.longestPacket)
    connecting = BackgroundCall(loop: loop, name: "mqtt-connect") {
      var properties: OpaquePointer?
      if settings.isVersion5 {
        if isPersistent {
          mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.number, settings.session)
        }
        mosquitto_property_add_int32(
          &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.number, longestPacket)
      }
      defer { mosquitto_property_free_all(&properties) }
      let result = mosquitto_connect_bind_v5(
        client.pointer, settings.host, settings.port, settings.keepalive, nil, properties)
      return result == Int32(MOSQ_ERR_ERRNO.rawValue) ? -1_000 - errno : result
    } done: { [self] result in
      // The library must not be left while the thread is in it.
      begin(result)
    }
    if connecting == nil { loop.post { [weak self] in self?.lost(TaskFailure.noThread.message) } }
  }

  private func begin(_ result: Int32) {
    connecting = nil
    refusal = nil
    if isClosed { return }
    if result != 0 {
      let isErrno = result <= -1_000
      let code = isErrno ? Int32(MOSQ_ERR_ERRNO.rawValue) : result
      return lost(MQTTLibrary.text(of: code, isErrno ? -1_000 - result : 0))
    }
    number = mosquitto_socket(mosquitto)
    interest = .readable
    do throws(Errno) { key = try poller.add(number, self, for: interest) } catch { return end("\(error)") }
    try? ticks?.set(.now() + .seconds(1))
    answerBy = .now() + .seconds(15)
    flush()
  }

  /// The time until which the broker has to accept the client.
  private var answerBy: MonotonicInstant?

  /// Ends the connection without a farewell, so that the broker publishes the will.
  func close() {
    isClosed = true
    lost = { _ in }
    forget()
  }

  /// Ends the connection, which can be made again; the broker publishes the will, and keeps what is not acknowledged.
  func interrupt() { forget() }

  /// Publishes some messages and ends the session, so that the broker keeps nothing for the client, nor publishes the will.
  ///
  /// - Parameter done: Called once that is written, or after a few seconds.
  func retire(after messages: [MQTTMessage], done: @escaping () -> Void) {
    (received, subscribed, published) = ({ _ in }, { _, _ in }, { _, _ in })
    (isHeldUp, isPaused) = ({ false }, { true })
    lost = { [weak self] _ in
      self?.close()
      done()
    }
    for message in messages {
      var message = message
      // One that had to be acknowledged could wait for others.
      message.qos = 0
      _ = try? publish(message)
    }
    var properties: OpaquePointer?
    if settings.isVersion5 {
      mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.number, 0)
    }
    defer { mosquitto_property_free_all(&properties) }
    mosquitto_disconnect_v5(mosquitto, 0, properties)
    retiresBy = .now() + .seconds(3)
    flushLater()
  }

  /// The time until which it takes leave of the broker.
  private var retiresBy: MonotonicInstant?

  private func forget() {
    if let key { try? poller.remove(key, number) }
    key = nil
    // The library may have closed it already.
    if number >= 0, mosquitto_socket(mosquitto) == number { shutdown(number, Int32(SHUT_RDWR)) }
    number = -1
    isConnected = false
    try? ticks?.set(nil)
  }

  private func end(_ reason: String) {
    guard number >= 0 else { return }
    forget()
    lost(reason)
  }

  private func tick() {
    guard number >= 0 else { return }
    try? ticks?.set(.now() + .seconds(1))
    if let retiresBy, retiresBy < .now() { return end("the broker does not read") }
    if let answerBy, !isConnected, answerBy < .now() { return end("the broker does not answer") }
    check(mosquitto_loop_misc(mosquitto))
    flushLater()
  }

  /// Ends the connection if a call says so; returns false then.
  @discardableResult private func check(_ result: Int32) -> Bool {
    if result == 0 || number < 0 { return number >= 0 }
    end(refusal ?? reason(of: result))
    return false
  }

  /// The time when the broker has accepted the client.
  private var acceptedAt: MonotonicInstant?
  /// The number of connections in a row that had a short life.
  private var shortLives = 0
  /// Connections that a broker ends within this time without a reason may have been replaced by another client's.
  private static let shortLife = Duration.seconds(10)

  private func reason(of result: Int32) -> String {
    let text = MQTTLibrary.text(of: result, errno)
    guard result == Int32(MOSQ_ERR_CONN_LOST.rawValue), let acceptedAt, .now() - acceptedAt < Self.shortLife else {
      shortLives = 0
      return text
    }
    shortLives += 1
    // A broker that ends has connections of any age.
    if shortLives < 2 { return text }
    return "\(text); another client may have its name (client_id \(settings.client))"
  }

  /// The code of a broker that has connected another client of the name, of version 5.
  private static let sessionTakenOver: Int32 = 0x8E

  /// The reason for which the broker has refused or ended the connection.
  private var refusal: String?

  // MARK: Reading and writing

  func ready(_ readiness: Readiness) {
    if readiness != .writable { read() }
    flush()
  }

  private func read() {
    for _ in 0..<Self.mostPackets {
      guard number >= 0, !isPaused() else { break }
      let before = callbacks
      guard check(mosquitto_loop_read(mosquitto, 1)) else { return }
      if callbacks == before { break }
    }
    flushLater()
  }

  /// Goes on after a pause: what the library has read already makes no socket readable.
  ///
  /// It reads later, since this may be called for a message that the library is delivering.
  func resume() {
    guard number >= 0 else { return }
    readsOn = true
    flushLater()
  }

  private func flushLater() {
    if isFlushPosted { return }
    isFlushPosted = true
    loop.post { [weak self] in
      guard let self else { return }
      isFlushPosted = false
      let mayRead = readsOn && number >= 0 && !isPaused()
      readsOn = false
      if mayRead { read() }
      flush()
    }
  }

  private func flush() {
    guard number >= 0 else { return }
    if !isHeldUp(), mosquitto_want_write(mosquitto) {
      guard check(mosquitto_loop_write(mosquitto, 1)) else { return }
      // The library closes the socket behind its farewell.
      if retiresBy != nil, mosquitto_socket(mosquitto) != number { return end("it has left") }
    }
    watch()
  }

  private func watch() {
    guard let key else { return }
    var wanted: Readiness = isPaused() ? [] : .readable
    if !isHeldUp(), mosquitto_want_write(mosquitto) { wanted.formUnion(Readiness(rawValue: 0x4)) }
    if wanted == interest { return }
    interest = wanted
    try? poller.change(key, number, for: wanted)
  }

  // MARK: Messages

  /// Publishes a message; returns its number.
  func publish(_ message: MQTTMessage) throws(TaskFailure) -> Int32 {
    var number: Int32 = 0
    let result = mosquitto_publish_v5(
      mosquitto, &number, message.topic, Int32(clamping: message.payload.count), message.payload, message.qos,
      message.isRetained, nil)
    flushLater()
    switch result {
    case 0: return number
    case Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue), Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue):
      throw TaskFailure("too_large", "the broker takes no message of \(message.payload.count) bytes")
    case Int32(MOSQ_ERR_NO_CONN.rawValue), Int32(MOSQ_ERR_CONN_LOST.rawValue), Int32(MOSQ_ERR_NOMEM.rawValue):
      throw TaskFailure("connect", MQTTLibrary.text(of: result, errno), isTemporary: true)
    default: throw TaskFailure("bad_request", MQTTLibrary.text(of: result, errno))
    }
  }

  /// Asks for retained messages of new subscriptions only.
  private static let retainedOfNew: Int32 = 0x10
  /// Asks for the flag of retained messages also where they come as they are published.
  private static let retainedAsPublished: Int32 = 0x08

  /// Subscribes to a filter; returns the number of the request.
  ///
  /// - Parameters:
  ///   - identifier: The number that messages carry, where the version has that.
  ///   - isKnown: True if the broker may have the subscription already, and sends no retained messages then.
  ///   - tellsRetained: True to flag new messages as retained, too, where the version has that.
  func subscribe(_ filter: String, qos: Int32, identifier: UInt32, isKnown: Bool, tellsRetained: Bool) -> Int32? {
    var properties: OpaquePointer?
    var options = isKnown ? Self.retainedOfNew : 0
    if settings.isVersion5 {
      if tellsRetained { options |= Self.retainedAsPublished }
      mosquitto_property_add_varint(&properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER.number, identifier)
    }
    defer { mosquitto_property_free_all(&properties) }
    var number: Int32 = 0
    defer { flushLater() }
    return mosquitto_subscribe_v5(mosquitto, &number, filter, qos, options, properties) == 0 ? number : nil
  }

  func unsubscribe(_ filter: String) {
    mosquitto_unsubscribe_v5(mosquitto, nil, filter, nil)
    flushLater()
  }

  /// Returns true if a topic matches a filter.
  static func matches(_ topic: String, _ filter: String) -> Bool {
    var isMatch = false
    return mosquitto_topic_matches_sub(filter, topic, &isMatch) == 0 && isMatch
  }

  // MARK: Callbacks

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(mosquitto) { _, owner, result, flags, _ in
      MQTTClient.of(owner)?.accept(result, hasSession: flags & 1 == 1)
    }
    mosquitto_disconnect_v5_callback_set(mosquitto) { _, owner, result, _ in
      MQTTClient.of(owner)?.note(disconnect: result)
    }
    mosquitto_publish_v5_callback_set(mosquitto) { _, owner, number, reason, _ in
      guard let client = MQTTClient.of(owner) else { return }
      client.callbacks += 1
      client.published(number, reason >= 0x80 ? reason : nil)
    }
    mosquitto_subscribe_v5_callback_set(mosquitto) { _, owner, number, count, granted, _ in
      guard let client = MQTTClient.of(owner) else { return }
      client.callbacks += 1
      let reason = count > 0 ? granted?.pointee ?? 0 : 0
      client.subscribed(number, reason >= 0x80 ? reason : nil)
    }
    mosquitto_message_v5_callback_set(mosquitto) { _, owner, message, properties in
      guard let client = MQTTClient.of(owner), let message else { return }
      client.callbacks += 1
      client.received(MQTTMessage(message.pointee, properties))
    }
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> MQTTClient? {
    owner.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
  }

  private func accept(_ result: Int32, hasSession: Bool) {
    callbacks += 1
    guard result == 0 else {
      refusal = "the broker refuses the client: \(MQTTLibrary.text(ofReason: result, isVersion5: settings.isVersion5))"
      return
    }
    refusal = nil
    answerBy = nil
    acceptedAt = .now()
    isConnected = true
    connected(hasSession)
  }

  private func note(disconnect result: Int32) {
    callbacks += 1
    if result == Self.sessionTakenOver {
      refusal = "another client has taken its name (client_id \(settings.client)): each connection needs one of its own"
    } else if result >= 0x80 {
      refusal = "the broker has ended the connection: \(MQTTLibrary.text(ofReason: result, isVersion5: true))"
    }
  }
}
