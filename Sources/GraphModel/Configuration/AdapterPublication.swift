import JSON

/// The declaration of messages that a signal publishes over a connection of another adapter.
enum AdapterPublication: PublicationReader {
  private static let list = ParameterList(
    Parameter<AdapterConnectionName>("connection", "the connection"),
    Parameter<TopicParameter<AdapterTopic>>("topic", "the topic; a computed one is a text in quotes with \\(…) in it"),
    MessageParameters.payload,
    Parameter<AdapterSettings?>("settings", "what the adapter is told beside it", .free, initial: .some(nil)),
    MessageParameters.limit, MessageParameters.overflow)

  static var parameters: [ParameterDescription] { list.descriptions }

  static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> Publication? {
    guard
      let (connection, topic, payload, settings, limit, overflow) = list.read(
        entry.value, of: "adapter", at: entry.key, reader)
    else { return nil }
    for key in ["topic", "payload", "entity", "prefix"] where settings?.members[key] != nil {
      reader.problems.error("\"\(key)\" is no setting: the daemon tells it to the adapter itself", at: entry.value)
      return nil
    }
    return Publication(
      kind: connection.reference.kind, connection: connection.reference.name, word: "topic", topic: topic.topic,
      payload: payload, settings: settings?.members ?? [:], isRetained: false,
      queue: PublicationQueueSettings(limit: limit, overflow: overflow),
      problem: { AdapterTopic.problem(in: $0) })
  }
}
