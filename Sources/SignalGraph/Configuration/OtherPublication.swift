import JSON

/// The declaration of messages that a signal publishes over a connection of another adapter.
enum OtherPublication: PublicationReader {
  private static let list = ParameterList(
    Parameter<OtherConnectionName>("connection", "the connection"),
    Parameter<OtherTopicParameter>("topic", "the topic; a computed one is a text in quotes with \\(…) in it"),
    Parameter<GraphExpression?>(
      "payload", "makes the payload of the value: a text as it is, others as JSON", initial: .some(nil)),
    Parameter<AdapterSettings?>("settings", "what the adapter is told beside it", .free, initial: .some(nil)),
    Parameter<Int>(
      "limit", "how many messages may wait", initial: PublicationQueueSettings.defaultLimit, minimum: 1),
    Parameter<PublicationOverflow>(
      "overflow", "at the limit: drop the oldest or newest message, or block, which has senders wait",
      initial: .dropOldest))

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
      problem: { OtherTopicParameter.problem(in: $0) })
  }
}
