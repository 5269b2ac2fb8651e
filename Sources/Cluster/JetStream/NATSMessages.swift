/// A message to be published, in the way of plain NATS.
package struct OutgoingMessage: Equatable, Sendable {
  package var subject: String
  package var headers: [String: String]
  package var payload: [UInt8]

  package init(subject: String, headers: [String: String] = [:], payload: [UInt8] = []) {
    (self.subject, self.headers, self.payload) = (subject, headers, payload)
  }
}

/// A message as it was received.
package struct IncomingMessage: Equatable, Sendable {
  package var subject: String
  /// The subject for a reply; in a delivery of a consumer it tells the place in the stream.
  package var reply: String?
  /// The status in the place of a payload: 100 for heartbeats and flow control, 503 if nothing listens.
  package var status: Int?
  /// The text of the status.
  package var description: String
  package var headers: [String: String]
  package var payload: [UInt8]

  package init(
    subject: String, reply: String? = nil, status: Int? = nil, description: String = "",
    headers: [String: String] = [:], payload: [UInt8] = []
  ) {
    self.subject = subject
    self.reply = reply
    self.status = status
    self.description = description
    self.headers = headers
    self.payload = payload
  }
}
