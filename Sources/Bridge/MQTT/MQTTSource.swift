internal import JSON

/// A source that is fed from topics of an MQTT broker, while its declaration is there.
final class MQTTSource {
  let run: SignalRun
  let filter: String
  let qos: Int32
  /// True if its values tell the topic beside the payload.
  private let isMessage: Bool

  init(_ declaration: SignalDeclaration) throws(TaskFailure) {
    guard let filter = declaration.settings.string("topic") else {
      throw TaskFailure("bad_request", "the source has no topic")
    }
    run = declaration.run
    self.filter = filter
    qos = Int32(max(0, min(declaration.settings.integer("qos") ?? 1, 2)))
    isMessage = declaration.settings.string("as") == "message"
  }

  func value(of message: MQTTMessage) -> SourceValue {
    guard isMessage else { return SourceValue(Body(message.payload)) }
    return SourceValue(
      Body(message.payload),
      details: [
        "topic": .string(message.topic), "retained": .bool(message.isRetained), "qos": .number(Double(message.qos)),
      ])
  }
}
