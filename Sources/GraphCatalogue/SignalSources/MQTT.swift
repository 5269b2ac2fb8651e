import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let mqtt = SourceDeclaration(
    "mqtt", "Subscribes to topics of an MQTT broker and emits the messages.", kind: .source,
    Parameter<MQTTConnectionName>("connection", "the connection to the broker"),
    Parameter<MQTTFilter>("topic", "the topic, which may have the wildcards + and #"),
    Parameter<Int>("qos", "the quality of service, 0, 1 or 2", initial: 1, maximum: 2),
    MessageParameters.format,
    Parameter<MessageForm>(
      "as", "whether a value is the payload, or {topic, payload, retained, qos}", initial: .payload),
    as: MQTTSource.init
  )
  .alsoKnown(as: "mosquitto", "zigbee2mqtt", "home assistant", "subscribe topic")
}

/// The messages of an MQTT broker on some topics.
private struct MQTTSource: WholeSource {
  let connection: MQTTConnectionName
  let topic: MQTTFilter
  let qos: Int
  let format: LineFormat?
  let form: MessageForm

  var isHeld: Bool { false }
  var takesValues: Bool { false }
  var problem: String? { format?.problemInRecords }

  func stream(_ context: OperatorContext) -> Stream {
    var settings: JSONObject = ["topic": .string(topic.text), "qos": .number(Double(qos))]
    if form == .message { settings["as"] = "message" }
    if context.signal.declaration.isDurable { settings["durable"] = true }
    return NetworkRecords.stream(
      of: NetworkSource(
        signal: context.signal.name, kind: .mqtt, connection: connection.reference.name, settings: settings), format,
      isContinuous: true, holdsRetained: topic.isFixed, context)
  }
}
