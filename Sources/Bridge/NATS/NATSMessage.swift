internal import CNATS
internal import Glibc
internal import JSON

/// A message of NATS as it arrived.
struct NATSMessage: Sendable {
  let subject: String
  let payload: [UInt8]
  let headers: [String: String]
  /// The place in a stream, for one of those.
  var stream: Place?

  struct Place: Sendable {
    let name: String
    /// The time at which the stream was made, in nanoseconds since 1970, if the servers tell it.
    let created: Int64?
    /// The number in the stream.
    let number: UInt64
    /// The reader that has brought it.
    let reader: Int
    /// The number of the delivery by the consumer.
    let delivery: UInt64
    /// The subject to which it is acknowledged.
    ///
    /// `natsMsg_Ack` would use the subscription that has brought it, which may be gone by then.
    let acknowledgement: String
  }

  init(_ message: OpaquePointer, withHeaders: Bool) {
    subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
    let count = Int(natsMsg_GetDataLength(message))
    payload = natsMsg_GetData(message).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    headers = withHeaders ? Self.headers(of: message) : [:]
  }

  private static func headers(of message: OpaquePointer) -> [String: String] {
    var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var count: Int32 = 0
    guard natsMsgHeader_Keys(message, &keys, &count) == NATS_OK, let keys else { return [:] }
    defer { free(keys) }
    var headers: [String: String] = [:]
    for place in 0..<Int(count) {
      var value: UnsafePointer<CChar>?
      guard let key = keys[place], natsMsgHeader_Get(message, key, &value) == NATS_OK, let value else { continue }
      headers[String(cString: key)] = String(cString: value)
    }
    return headers
  }

  /// The details of a value that tells more than the payload.
  var details: JSONObject {
    var members = JSONObject()
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { members[name] = .string(value) }
    return ["subject": .string(subject), "headers": .object(members)]
  }
}
