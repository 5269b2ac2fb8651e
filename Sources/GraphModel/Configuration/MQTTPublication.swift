import JSON

/// The declaration of messages that a signal publishes to an MQTT broker.
enum MQTTPublication: PublicationReader {
  private static let list = ParameterList(
    Parameter<MQTTConnectionName>("connection", "the connection to the broker"),
    Parameter<TopicParameter<MQTTTopic>>("topic", "the topic; a computed one is a text in quotes with \\(…) in it"),
    Parameter<Int>("qos", "the quality of service, 0, 1 or 2", initial: 1, maximum: 2),
    Parameter<Bool>("retain", "whether the broker keeps the last message of each topic", initial: false),
    MessageParameters.payload,
    MessageParameters.limit, MessageParameters.overflow,
    Parameter<Entity?>(
      "entity", "what Home Assistant is told of it: a component, or {component, name, …}", initial: .some(nil)))

  static var parameters: [ParameterDescription] { list.descriptions }

  static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> Publication? {
    guard
      let (connection, topic, qos, isRetained, payload, limit, overflow, entity) = list.read(
        entry.value, of: "mqtt", at: entry.key, reader)
    else { return nil }
    var settings: JSONObject = ["qos": .number(Double(qos))]
    if isRetained { settings["retain"] = true }
    return Publication(
      kind: .mqtt, connection: connection.reference.name, word: "topic", topic: topic.topic, payload: payload,
      settings: settings, isRetained: isRetained, queue: PublicationQueueSettings(limit: limit, overflow: overflow),
      problem: { MQTTTopic.problem(in: $0) }, isAnnounced: true, entity: entity)
  }
}
