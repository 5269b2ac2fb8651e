package import WireProtocol

extension IncomingMessage {
  package init(_ message: RelayMessage) {
    self.init(
      subject: message.subject, reply: message.reply.isEmpty ? nil : message.reply,
      status: message.headers["Status"].flatMap { Int($0) }, description: message.headers["Description"] ?? "",
      headers: message.headers, payload: message.payload)
  }
}

extension RelayMessage {
  package init(_ message: OutgoingMessage, reply: String) {
    self.init(subject: message.subject, reply: reply, headers: message.headers, payload: message.payload)
  }
}
