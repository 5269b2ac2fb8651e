internal import Base

/// Announces the entities of a connection, and has the broker forget those that are gone.
final class MQTTAnnouncer {
  private let client: MQTTClient
  /// `nil` for a connection that announces nothing.
  private var discovery: MQTTDiscovery?
  /// The payload of the will, for the availability.
  private let offline: String
  /// The topics of entities that are gone, until the broker has forgotten them.
  private var forgotten: Set<ExactText> = []
  /// The numbers of messages on their way, with the topic that one makes the broker forget.
  private var sent: [Int32: String?] = [:]

  /// The number of the subscription to the inventory, whose messages are recognised by their topic.
  private static let inventoryNumber: UInt32 = 1

  init(_ settings: MQTTSettings, _ client: MQTTClient) {
    self.client = client
    discovery = settings.discovery.map { MQTTDiscovery($0) }
    offline = settings.will.map { String(decoding: $0.payload, as: UTF8.self) } ?? MQTTSettings.offline
  }

  /// The topics on which the entities are operated.
  var commands: [MQTTCommand] { discovery?.commands ?? [] }

  /// Takes over what the broker knows of the entities of a connection that had other settings.
  func replace(_ former: MQTTAnnouncer) {
    forgotten = former.forgotten
    guard let before = former.discovery else { return }
    forgotten.formUnion(discovery?.replace(before) ?? before.topics)
  }

  /// The topics that the broker has to forget once nothing is announced over the connection any more.
  var topics: Set<ExactText> { forgotten.union(discovery?.topics ?? []) }

  /// The last states of the entities, which a broker may have lost.
  var presentStates: [MQTTMessage] { discovery?.presentStates ?? [] }

  /// Announces everything, over a new connection.
  ///
  /// - Parameter hasStates: True to tell the states, too: over one client, they stay behind those published before.
  func begin(hasStates: Bool) {
    sent = [:]
    for topic in forgotten.sorted() { publish(.forgetting(topic.text)) }
    guard let discovery else { return }
    if let inventory = discovery.awaitedInventory {
      // The broker sends the former one before it has that which follows.
      _ = client.subscribe(inventory, qos: 1, identifier: Self.inventoryNumber, isKnown: false, tellsRetained: true)
    }
    let states = hasStates ? discovery.presentStates : []
    for message in [discovery.birth] + discovery.announcements + states { publish(message) }
  }

  /// Announces what has changed.
  func note(_ declarations: [SignalDeclaration]) { announce(discovery?.note(declarations, offline: offline) ?? []) }

  /// Keeps a message that is the state of an entity.
  func note(_ message: MQTTMessage) { discovery?.note(message) }

  /// Removes the entities that went while no bridge ran, if a message is the inventory; returns false otherwise.
  ///
  /// A session may have kept older ones, which come before the one that the broker retains.
  func take(_ message: MQTTMessage) -> Bool {
    guard let discovery, discovery.isInventory(message.topic) else { return false }
    if discovery.awaitedInventory != nil { client.unsubscribe(message.topic) }
    announce(self.discovery?.note(inventory: message.payload) ?? [])
    return true
  }

  private func announce(_ messages: [MQTTMessage]) {
    for message in messages {
      let topic = ExactText(message.topic)
      if message.payload.isEmpty { forgotten.insert(topic) } else { forgotten.remove(topic) }
      publish(message)
    }
  }

  /// Publishes a message; one that fails comes with the next connection.
  private func publish(_ message: MQTTMessage) {
    guard client.isConnected, let number = try? client.publish(message) else { return }
    sent[number] = .some(message.payload.isEmpty ? message.topic : nil)
  }

  /// Notes that the broker has taken a message; returns false for one that is not an announcement.
  func finish(_ number: Int32) -> Bool {
    guard let topic = sent.removeValue(forKey: number) else { return false }
    if let topic { forgotten.remove(ExactText(topic)) }
    return true
  }
}
