internal import JSON

/// The announcements to Home Assistant over a connection: each signal with a fixed topic is an entity.
struct MQTTDiscovery {
  private let settings: MQTTSettings.Discovery
  /// The messages that announce, by their topics.
  private var announced: [String: String] = [:]
  /// The topics of states that the broker retains for entities, by the topics of these.
  private var states: [String: String] = [:]
  /// The topics on which the entities are operated.
  private(set) var commands: [MQTTCommand] = []

  init(_ settings: MQTTSettings.Discovery) { self.settings = settings }

  /// The message that tells that the bridge is there; the will tells that it is gone.
  var birth: MQTTMessage {
    MQTTMessage(topic: settings.availability, payload: Array(MQTTSettings.online.utf8), qos: 1, isRetained: true)
  }

  /// All that is announced.
  var all: [MQTTMessage] {
    announced.sorted { $0.key < $1.key }.map { Self.message($0.key, $0.value) }
  }

  /// Records what is declared; returns the messages that announce the difference.
  mutating func note(_ declarations: [SignalDeclaration], offline: String) -> [MQTTMessage] {
    let entities = declarations.compactMap { DiscoveredEntity($0, settings) }
    commands = entities.compactMap(\.command)
    var present: [String: String] = [:]
    for entity in entities { present[entity.topic] = entity.config(settings, offline: offline).description }
    var messages: [MQTTMessage] = []
    let remaining = Dictionary(entities.compactMap { entity in entity.ownState.map { (entity.topic, $0) } }) { $1 }
    for topic in announced.keys.sorted() where present[topic] == nil {
      messages.append(Self.message(topic, ""))
      // The state goes with its entity, unless another one has it now.
      if let state = states[topic], !remaining.values.contains(state) { messages.append(Self.message(state, "")) }
    }
    states = remaining
    for (topic, payload) in present.sorted(by: { $0.key < $1.key }) where announced[topic] != payload {
      messages.append(Self.message(topic, payload))
    }
    announced = present
    return messages
  }

  private static func message(_ topic: String, _ payload: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(payload.utf8), qos: 1, isRetained: true)
  }
}
