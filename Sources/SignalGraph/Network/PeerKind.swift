import JSON

/// The kinds of peers on the network that connections lead to; each has a reader of its settings in a file of its own.
package enum PeerKind: String, Sendable, CaseIterable {
  case http, mqtt, nats

  /// The reader of the kind's settings.
  var settings: any PeerSettingsReader.Type {
    switch self {
    case .http: HTTPConnection.self
    case .mqtt: MQTTConnection.self
    case .nats: NATSConnection.self
    }
  }
}

/// A reader of the settings of one kind.
protocol PeerSettingsReader {
  /// The keys beside the kind's own.
  static var keys: [String] { get }

  /// Reads the settings of a connection; `nil` after reporting every error in them.
  ///
  /// - Parameters:
  ///   - address: The value of the kind's key; `nil` if that is missing, which is reported elsewhere.
  ///   - mapping: The keys beside it.
  static func read(_ address: Reader?, _ mapping: MappingReader) -> PeerSettings?
}
