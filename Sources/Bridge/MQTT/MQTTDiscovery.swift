internal import Base
internal import JSON

/// The announcements to Home Assistant over a connection: each signal with a fixed topic is an entity.
///
/// The broker also retains an inventory of them, so that the next process removes those that went while none ran.
struct MQTTDiscovery {
  private var settings: MQTTSettings.Discovery
  /// The messages that announce, by their topics.
  private var announced: [ExactText: String] = [:]
  /// The topics of states that the broker retains for entities, by the topics of these.
  private var states: [ExactText: ExactText] = [:]
  /// The topics of all states, and the last message on each, which a broker may have lost.
  private var stateTopics: Set<ExactText> = []
  private var lastStates: [ExactText: MQTTMessage] = [:]
  /// True once the inventory of the process before has come.
  private var knowsFormer = false
  /// The topics on which the entities are operated.
  private(set) var commands: [MQTTCommand] = []

  init(_ settings: MQTTSettings.Discovery) { self.settings = settings }

  /// The message that tells that the bridge is there; the will tells that it is gone.
  var birth: MQTTMessage {
    MQTTMessage(topic: settings.availability, payload: Array(MQTTSettings.online.utf8), qos: 1, isRetained: true)
  }

  /// All that is announced.
  var announcements: [MQTTMessage] {
    [inventory] + announced.sorted { $0.key < $1.key }.map { Self.message($0.key.text, $0.value) }
  }

  /// The last states.
  var presentStates: [MQTTMessage] { lastStates.sorted { $0.key < $1.key }.map(\.value) }

  /// The topic of the inventory, until it has come.
  var awaitedInventory: String? { knowsFormer ? nil : settings.inventory }

  /// The topics of all that is announced, each with that of its own state.
  private var inventory: MQTTMessage {
    var list = JSONObject()
    for topic in announced.keys.sorted() { list[topic.text] = states[topic].map { .string($0.text) } ?? .null }
    return Self.message(settings.inventory, list.isEmpty ? "" : JSONValue.object(list).description)
  }

  /// The topics that the broker retains something on.
  var topics: Set<ExactText> {
    Set(announced.keys).union(states.values).union([settings.inventory, settings.availability].map { ExactText($0) })
  }

  /// Takes over what the broker knows from one with other settings; returns the topics that it has to forget.
  mutating func replace(_ former: MQTTDiscovery) -> Set<ExactText> {
    guard settings.hasEntities(of: former.settings) else {
      return former.topics.subtracting([settings.inventory, settings.availability].map { ExactText($0) })
    }
    let settings = settings
    self = former
    self.settings = settings
    knowsFormer = false
    return former.topics.subtracting(topics)
  }

  /// True for the topic of the inventory.
  func isInventory(_ topic: String) -> Bool { topic == settings.inventory }

  /// Reads the inventory of the process before; returns the messages that remove what is announced no more.
  mutating func note(inventory payload: [UInt8]) -> [MQTTMessage] {
    knowsFormer = true
    guard case .object(let list)? = try? JSONParser.value(onThisThread: payload.span).plain else { return [] }
    var messages: [MQTTMessage] = []
    for topic in list.members.map(\.key) where announced[ExactText(topic)] == nil && settings.isAnnouncement(topic) {
      messages.append(.forgetting(topic))
      guard let state = list.string(topic), settings.isState(state), !states.values.contains(ExactText(state)) else {
        continue
      }
      messages.append(.forgetting(state))
    }
    return messages
  }

  /// Keeps a message that is the state of an entity.
  mutating func note(_ message: MQTTMessage) {
    guard message.isRetained, stateTopics.contains(ExactText(message.topic)) else { return }
    lastStates[ExactText(message.topic)] = message.payload.count <= Self.longestState ? message : nil
  }

  /// The longest state that is kept, in bytes.
  private static let longestState = 16_384

  /// Records what is declared; returns the messages that announce the difference.
  mutating func note(_ declarations: [SignalDeclaration], offline: String) -> [MQTTMessage] {
    let (former, formerInventory) = (announced, inventory)
    let entities = declarations.compactMap { DiscoveredEntity($0, settings) }
    commands = entities.compactMap(\.command)
    var present: [ExactText: String] = [:]
    for entity in entities { present[ExactText(entity.topic)] = entity.config(settings, offline: offline).description }
    var messages: [MQTTMessage] = []
    let remaining = Dictionary(
      entities.compactMap { entity in entity.ownState.map { (ExactText(entity.topic), ExactText($0)) } }
    ) { $1 }
    for topic in former.keys.sorted() where present[topic] == nil {
      messages.append(Self.message(topic.text, ""))
      // The state goes with its entity, unless another one has it now.
      if let state = states[topic], !remaining.values.contains(state) { messages.append(Self.message(state.text, "")) }
    }
    states = remaining
    stateTopics = Set(entities.map { ExactText($0.state) })
    lastStates = lastStates.filter { stateTopics.contains($0.key) }
    for entity in entities where lastStates[ExactText(entity.state)] == nil {
      if let message = entity.presentState { note(message) }
    }
    announced = present
    // A kill between two of the messages leaves an inventory that lists too much rather than too little.
    if inventory != formerInventory { messages.append(inventory) }
    for (topic, payload) in present.sorted(by: { $0.key < $1.key }) where former[topic] != payload {
      messages.append(Self.message(topic.text, payload))
    }
    return messages
  }

  private static func message(_ topic: String, _ payload: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(payload.utf8), qos: 1, isRetained: true)
  }
}

extension MQTTMessage {
  /// The message that makes a broker forget what it retains on a topic.
  static func forgetting(_ topic: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: [], qos: 1, isRetained: true)
  }
}
