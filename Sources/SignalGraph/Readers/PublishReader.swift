import JSON

/// Reads `publish` of a signal: what it publishes to brokers, one or several.
struct PublishReader {
  private let signal: ConfigNode
  private let node: ConfigNode?
  private let reader: DeclarationReader

  init(_ signal: ConfigNode, _ reader: DeclarationReader) {
    self.signal = signal
    node = signal["publish"]
    self.reader = reader
  }

  /// Reports the errors in it, where the signal itself cannot be read.
  func report() { _ = publications() }

  /// Returns the signal of the messages, if any are declared.
  func read(of signal: SignalDeclaration, at head: ConfigNode, isDurable: Bool) -> SignalDeclaration? {
    guard let node, var publications = publications(), !publications.isEmpty else { return nil }
    for place in publications.indices where publications[place].isAnnounced {
      publications[place].announcement = Entity.settings(
        publications[place].entity, of: signal, type: signal.body.source.acceptedType, reader.problems)
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
      written: reader.context.text(of: node), at: DeclarationPlace(node), inDurableGraph: isDurable)
  }

  private func publications() -> [Publication]? {
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
    guard let entries = node.entries else {
      reader.problems.error("expected what to publish: \(Self.forms)", at: node)
      return nil
    }
    let kinds = PeerKind.publishing
    for entry in entries where !kinds.contains(where: { $0.rawValue == entry.name }) {
      reader.unknown("key of publish", entry.name, at: entry.key, among: kinds.map(\.rawValue))
    }
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
