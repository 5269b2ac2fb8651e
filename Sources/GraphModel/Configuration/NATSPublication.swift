import JSON

/// The declaration of messages that a signal publishes to NATS servers.
enum NATSPublication: PublicationReader {
  private static let list = ParameterList(
    Parameter<NATSConnectionName>("connection", "the connection to the servers"),
    Parameter<TopicParameter<NATSSubject>>(
      "subject", "the subject; a computed one is a text in quotes with \\(…) in it"),
    Parameter<Bool>(
      "stream", "whether a stream keeps the subject, and has to acknowledge each message", initial: false),
    MessageParameters.payload,
    MessageParameters.limit, MessageParameters.overflow)

  static var parameters: [ParameterDescription] { list.descriptions }

  static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> Publication? {
    guard
      let (connection, subject, isStored, payload, limit, overflow) = list.read(
        entry.value, of: "nats", at: entry.key, reader)
    else { return nil }
    return Publication(
      kind: .nats, connection: connection.reference.name, word: "subject", topic: subject.topic, payload: payload,
      settings: isStored ? ["stream": true] : [:], isRetained: false,
      queue: PublicationQueueSettings(limit: limit, overflow: overflow), problem: { NATSSubject.problem(in: $0) })
  }
}
