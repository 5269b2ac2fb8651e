/// A message of NATS as the relay passes it: plain publish and subscribe, on which everything else is built.
package struct RelayMessage: Equatable, Sendable {
  package var subject: String
  /// The subject for a reply; empty if none is expected.
  package var reply: String
  /// The headers; `Status` and `Description` are those of a message that a server has made.
  package var headers: [String: String]
  package var payload: [UInt8]

  package init(subject: String, reply: String = "", headers: [String: String] = [:], payload: [UInt8] = []) {
    self.subject = subject
    self.reply = reply
    self.headers = headers
    self.payload = payload
  }
}
