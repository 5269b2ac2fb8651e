extension PeerKind {
  /// The reader of what signals publish there; `nil` for a kind that takes calls alone.
  package var publication: (any PublicationReader.Type)? {
    switch self {
    case .mqtt: MQTTPublication.self
    case .nats: NATSPublication.self
    case .adapter: AdapterPublication.self
    default: nil
    }
  }

  /// The kinds that signals publish to.
  package static var publishing: [PeerKind] { declared.filter { $0.publication != nil } }
}
