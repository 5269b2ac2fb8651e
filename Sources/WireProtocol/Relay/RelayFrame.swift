/// A frame between the daemon and its relay, the process that speaks with NATS for it.
///
/// The relay decides nothing: it repeats no request and makes no subscription again. A frame is the length of the rest, a
/// kind and the fields of that; numbers have four bytes, little endian, and texts and bytes begin with their length.
package enum RelayFrame: Equatable, Sendable {
  // MARK: To the relay

  /// The settings of the connection, as a line of JSON: the first frame.
  case connect([UInt8])
  case publish(RelayMessage)
  /// Subscribe to a subject, under a number that no other subscription has.
  case subscribe(UInt32, subject: String)
  case unsubscribe(UInt32)

  // MARK: From the relay

  /// There is a connection, without any subscription, to the server with this address.
  case connected(server: String)
  /// There is none, for this reason.
  case disconnected(String)
  case message(UInt32, RelayMessage)

  private enum Kind: UInt8 {
    case connect = 1
    case publish, subscribe, unsubscribe, connected, disconnected, message
  }

  /// The longest frame; a longer one ends the connection.
  package static let longest = 80 << 20

  package func append(to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(number: 0)
    func begin(_ kind: Kind) { bytes.append(kind.rawValue) }
    switch self {
    case .connect(let settings):
      begin(.connect)
      bytes.append(field: settings)
    case .publish(let message):
      begin(.publish)
      bytes.append(message)
    case .subscribe(let number, let subject):
      begin(.subscribe)
      bytes.append(number: number)
      bytes.append(field: subject.utf8)
    case .unsubscribe(let number):
      begin(.unsubscribe)
      bytes.append(number: number)
    case .connected(let server):
      begin(.connected)
      bytes.append(field: server.utf8)
    case .disconnected(let reason):
      begin(.disconnected)
      bytes.append(field: reason.utf8)
    case .message(let number, let message):
      begin(.message)
      bytes.append(number: number)
      bytes.append(message)
    }
    let length = UInt32(bytes.count - start - 4)
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place))) }
  }

  /// Reads the content of a frame; `nil` for one that is invalid.
  init?(_ content: ArraySlice<UInt8>) {
    var fields = RelayFields(content)
    guard let kind = fields.byte().flatMap(Kind.init) else { return nil }
    switch kind {
    case .connect: self = .connect(Array(fields.field() ?? []))
    case .publish:
      guard let message = fields.message() else { return nil }
      self = .publish(message)
    case .subscribe:
      guard let number = fields.number(), let subject = fields.text() else { return nil }
      self = .subscribe(number, subject: subject)
    case .unsubscribe:
      guard let number = fields.number() else { return nil }
      self = .unsubscribe(number)
    case .connected: self = .connected(server: fields.text() ?? "")
    case .disconnected: self = .disconnected(fields.text() ?? "")
    case .message:
      guard let number = fields.number(), let message = fields.message() else { return nil }
      self = .message(number, message)
    }
    guard fields.isAtEnd else { return nil }
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  fileprivate mutating func append(field: some Collection<UInt8>) {
    append(number: UInt32(field.count))
    append(contentsOf: field)
  }

  fileprivate mutating func append(_ message: RelayMessage) {
    append(field: message.subject.utf8)
    append(field: message.reply.utf8)
    append(number: UInt32(message.headers.count))
    for (key, value) in message.headers {
      append(field: key.utf8)
      append(field: value.utf8)
    }
    append(field: message.payload)
  }
}

/// The fields of a frame, one after the other.
private struct RelayFields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func number() -> UInt32? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func field() -> ArraySlice<UInt8>? {
    guard let count = number(), rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  mutating func text() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }

  mutating func message() -> RelayMessage? {
    guard let subject = text(), let reply = text(), let count = number() else { return nil }
    var headers: [String: String] = [:]
    for _ in 0..<count {
      guard let key = text(), let value = text() else { return nil }
      headers[key] = value
    }
    guard let payload = field() else { return nil }
    return RelayMessage(subject: subject, reply: reply, headers: headers, payload: Array(payload))
  }
}
