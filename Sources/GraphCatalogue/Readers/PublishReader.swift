import Base
import GraphEngine
import GraphModel
import JSON

/// Reads `publish` and `entity` of a signal: what it publishes to brokers, one or several.
struct PublishReader {
  private let signal: ConfigNode
  private let node: ConfigNode?
  private let entity: ConfigNode?
  private let reader: DeclarationReader

  init(_ signal: ConfigNode, _ reader: DeclarationReader) {
    self.signal = signal
    node = signal["publish"]
    entity = signal["entity"]
    self.reader = reader
  }

  /// Reports the errors in it, where the signal itself cannot be read.
  func report() { _ = publications(of: "") }

  /// Returns the signal of the messages, if any are declared.
  func read(of signal: SignalDeclaration, at head: ConfigNode, in home: Home?) -> SignalDeclaration? {
    guard let node = node ?? entity, var publications = publications(of: signal.name), !publications.isEmpty else {
      return nil
    }
    for place in publications.indices where publications[place].isAnnounced {
      publications[place].announcement = Entity.settings(
        publications[place].entity, of: signal, reader.problems)
      adviseOnAnnouncement(of: publications[place])
    }
    reader.beginSignal()
    let entry = reader.nextPlace()
    let reference = reader.reference(to: signal.name, at: head)
    let source = PublicationSource(
      publications, of: reference, Ranks(entry: entry, exit: reader.nextPlace(of: node)))
    let name = PublishedSignal.name(of: signal.name)
    reader.note(name, at: head, naming: reader.named)
    var traits = SignalTraits(access: signal.traits.access)
    traits.documentation = "The messages that \(signal.name) publishes"
    traits.isPrivate = signal.traits.isPrivate
    return SignalDeclaration(
      name: name, body: SignalBody(source: source, pipe: [], onError: nil), traits: Shared(traits),
      written: reader.context.text(of: node).comparing(publications.map(\.destination).joined(separator: "\n")),
      at: DeclarationPlace(node), in: home)
  }

  /// Warns of an entity that is announced nowhere.
  private func adviseOnAnnouncement(of publication: Publication) {
    guard let entity = publication.entity else { return }
    if case .computed = publication.topic {
      reader.problems.warning("only a signal with a fixed topic is announced as an entity", at: entity.extent)
    } else if !reader.context.hasBrokenDiscovery,
      !reader.context.announcing.contains(where: { $0.connection == publication.connection })
    {
      reader.problems.warning(
        "the connection \(publication.connection) has no discovery: homeassistant, so the entity is announced nowhere",
        at: entity.extent)
    }
  }

  private func publications(of name: String) -> [Publication]? {
    let published = published()
    guard let entity else { return published }
    let reading = ParameterReading(reader: reader, name: "entity", minimum: 0, maximum: 0, variables: [])
    let declared = Entity.read(entity, reading)
    guard var publications = published, let declared else {
      if !hasTopic { _ = reader.announcingConnection(for: entity) }
      return nil
    }
    if let place = publications.firstIndex(where: \.isAnnounced) {
      if let other = publications[place].entity {
        reader.problems.error(
          "entity is given twice", at: entity, related: .init("also given here", at: other.extent.place))
        return nil
      }
      publications[place].entity = declared
      return publications
    }
    return announcement(of: name, as: declared, at: entity).map { publications + [$0] }
  }

  /// True if it is published where it can be announced: without that, an entity needs a connection that announces.
  private var hasTopic: Bool {
    let items = node?.elements ?? [node].compactMap(\.self)
    return items.flatMap { $0.entries ?? [] }.contains {
      Suggestion.likely(for: $0.name, among: [PeerKind.mqtt.rawValue]) != nil
    }
  }

  /// Returns the publication of a signal that is announced to Home Assistant without a topic of its own.
  private func announcement(of name: String, as entity: Entity, at place: ConfigNode) -> Publication? {
    guard let (connection, node) = reader.announcingConnection(for: place) else { return nil }
    let isButton = entity.component == .button
    let state = MQTTTopic.ofState(name, below: node)
    return Publication(
      kind: .mqtt, connection: connection, word: "topic", topic: .fixed(state, shown: state),
      payload: nil, settings: isButton ? ["qos": 1] : ["qos": 1, "retain": true], isRetained: !isButton,
      queue: PublicationQueueSettings(limit: PublicationQueueSettings.defaultLimit, overflow: .dropOldest),
      problem: { _ in nil }, isAnnounced: true, entity: entity)
  }

  private func published() -> [Publication]? {
    guard let node else { return [] }
    let items = node.elements ?? [node]
    let read = items.map { publication($0) }
    if items.isEmpty { reader.problems.error("expected what to publish: \(Self.forms)", at: node) }
    return read.contains { $0 == nil } ? nil : read.compactMap(\.self)
  }

  private static var forms: String {
    PeerKind.publishing.map { "{\($0.rawValue): {…}}" }.joined(separator: " or ")
  }

  private func publication(_ node: ConfigNode) -> Publication? {
    guard let given = node.entries else {
      reader.problems.error("expected what to publish: \(Self.forms)", at: node)
      return nil
    }
    let kinds = PeerKind.publishing
    let entries = reader.problems.entries(given, named: kinds.map(\.rawValue), as: "key of publish")
    let found = entries.compactMap { entry in kinds.first { $0.rawValue == entry.name }.map { ($0, entry) } }
    guard let (kind, entry) = found.first else {
      if entries.isEmpty { reader.problems.error("expected what to publish: \(Self.forms)", at: node) }
      return nil
    }
    if found.count > 1 {
      reader.problems.error("give a list to publish to several brokers: [{mqtt: {…}}, {nats: {…}}]", at: found[1].1.key)
    }
    return kind.publication?.read(entry, reader)
  }
}

extension Publication {
  /// Its connection and topic, for a reload to compare.
  fileprivate var destination: String {
    if case .fixed(let topic, _) = topic {
      "\(kind.rawValue) \(connection) \(topic)"
    } else {
      "\(kind.rawValue) \(connection)"
    }
  }
}
