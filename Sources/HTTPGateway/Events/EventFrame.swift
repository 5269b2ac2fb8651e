internal import JSON

/// The encoding of server-sent events (`text/event-stream`).
enum EventFrame {
  static let mediaType = "text/event-stream"
  /// A comment, which clients ignore.
  static let heartbeat: [UInt8] = Array(": \n\n".utf8)

  /// Appends an event whose data is one line; one without a name is a message.
  static func append(
    _ name: String? = nil, id: EventPosition?, data: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    if let name { bytes += "event: \(name)\n".utf8 }
    appendID(id, to: &bytes)
    bytes += "data: ".utf8
    data.withUnsafeBufferPointer { bytes += $0 }
    bytes += "\n\n".utf8
  }

  static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
    append(name, id: nil, data: value.json.span, to: &bytes)
  }

  /// Appends a position without an event, for a client that reconnects before the next event.
  static func append(position: EventPosition, to bytes: inout [UInt8]) {
    appendID(position, to: &bytes)
    bytes += "\n".utf8
  }

  private static func appendID(_ id: EventPosition?, to bytes: inout [UInt8]) {
    guard let id else { return }
    let start = bytes.count
    bytes += "id: ".utf8
    // An empty id resets the browser's last one: resuming from that would duplicate later events.
    if !id.append(to: &bytes) { bytes.replaceSubrange(start..., with: "id:".utf8) }
    bytes += "\n".utf8
  }
}
