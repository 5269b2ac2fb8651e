internal import JSON

/// The announcements to Home Assistant over a connection: each signal with a fixed topic is a sensor.
struct MQTTDiscovery {
  private let settings: MQTTSettings.Discovery
  /// The messages that announce, by their topics.
  private var announced: [String: String] = [:]

  init(_ settings: MQTTSettings.Discovery) { self.settings = settings }

  /// The message that tells that the bridge is there; the will tells that it is gone.
  var birth: MQTTMessage {
    MQTTMessage(topic: settings.availability, payload: Array(MQTTSettings.online.utf8), qos: 1, isRetained: true)
  }

  /// All that is announced.
  var all: [MQTTMessage] {
    announced.sorted { $0.key < $1.key }.map { Self.message($0.key, $0.value) }
  }

  /// Takes note of what is declared; returns the messages that announce the difference.
  mutating func note(_ declarations: [SignalDeclaration], offline: String) -> [MQTTMessage] {
    var present: [String: String] = [:]
    for declaration in declarations where declaration.role == .sink {
      guard let topic = declaration.settings.string("topic") else { continue }
      let name = Self.signal(of: declaration.run.signal)
      let object = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
      present["\(settings.prefix)/sensor/\(settings.node)/\(String(object))/config"] = config(
        name, String(object), topic, offline)
    }
    var messages: [MQTTMessage] = []
    for topic in announced.keys.sorted() where present[topic] == nil { messages.append(Self.message(topic, "")) }
    for (topic, payload) in present.sorted(by: { $0.key < $1.key }) where announced[topic] != payload {
      messages.append(Self.message(topic, payload))
    }
    announced = present
    return messages
  }

  private func config(_ name: String, _ object: String, _ topic: String, _ offline: String) -> String {
    let config: JSONValue = [
      "name": .string(name), "unique_id": .string("\(settings.node)_\(object)"), "object_id": .string(object),
      "state_topic": .string(topic), "availability_topic": .string(settings.availability),
      "payload_available": .string(MQTTSettings.online), "payload_not_available": .string(offline),
      "device": ["identifiers": [.string(settings.node)], "name": .string(settings.node), "manufacturer": "signalbox"],
    ]
    return config.description
  }

  /// Returns the name of the signal that publishes: its messages are a signal beside it.
  private static func signal(of published: String) -> String {
    let parts = published.split(separator: ".")
    return parts.last.flatMap { Int($0) } == nil && parts.last == "published"
      ? parts.dropLast().joined(separator: ".") : published.replacing(".published.", with: ".")
  }

  private static func message(_ topic: String, _ payload: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(payload.utf8), qos: 1, isRetained: true)
  }
}
