/// A kind of peers on the network: one that the configuration has words of its own for, or one that another adapter
/// serves and names.
package struct PeerKind: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let http = PeerKind(rawValue: "http")
  package static let mqtt = PeerKind(rawValue: "mqtt")
  package static let nats = PeerKind(rawValue: "nats")
  /// The word of configurations for a kind that another adapter names; no adapter serves it.
  package static let adapter = PeerKind(rawValue: "adapter")

  /// The kinds that `signalbox-bridge` serves.
  package static let bundled = [http, mqtt, nats]
  /// The words of configurations.
  package static let declared = bundled + [adapter]

  /// The reader of the kind's settings.
  var settings: any PeerSettingsReader.Type {
    switch self {
    case .http: HTTPConnection.self
    case .mqtt: MQTTConnection.self
    case .nats: NATSConnection.self
    default: AdapterConnection.self
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
