internal import Base
internal import JSON
internal import Linux

/// The settings of a connection to an MQTT broker.
struct MQTTSettings: Sendable {
  /// The host, or the path of a socket of this machine, which has the port 0.
  let host: String
  let port: Int32
  let user: String?
  let password: String?
  private(set) var client: String
  /// True for version 5 of the protocol, false for 3.1.1.
  let isVersion5: Bool
  let keepalive: Int32
  /// The time for which the broker keeps the session of a client that is gone, in seconds.
  let session: UInt32
  /// The most messages on their way in each direction.
  let window: Int
  /// The longest payload in bytes.
  let limit: Int
  let tls: Files?
  private(set) var will: MQTTMessage?
  private(set) var discovery: Discovery?
  /// The prefix of the topics of entities, where those belong to the bridge that serves.
  private let reserved: String?
  private let secrets: [String]

  /// The files for TLS.
  struct Files: Sendable {
    let authorities: String?
    let certificate: String?
    let key: String?
  }

  /// The topics of announcements to Home Assistant.
  struct Discovery: Equatable, Sendable {
    let prefix: String
    let node: String
    /// The topic on which the bridge says that it is there.
    let availability: String
    /// The topic of the list of what this client has announced.
    let inventory: String

    /// True if both announce equal entities on equal topics.
    func hasEntities(of other: Discovery) -> Bool {
      (prefix, node, availability) == (other.prefix, other.node, other.availability)
    }

    /// True for a topic on which an entity of the node is announced.
    func isAnnouncement(_ topic: String) -> Bool {
      topic.hasPrefix("\(prefix)/") && topic.contains("/\(node)/") && topic.hasSuffix("/config")
    }

    /// True for the topic of a state that goes with its entity.
    func isState(_ topic: String) -> Bool { topic.hasPrefix("\(node)/") && topic.hasSuffix("/state") }
  }

  static let online = "online"
  static let offline = "offline"
  private static let defaultNode = "signalbox"

  init(_ declaration: ConnectionDeclaration) throws(TaskFailure) {
    let settings = declaration.settings
    if let path = settings.string("path") {
      (host, port) = (path, 0)
    } else {
      guard let host = settings.string("host"), let port = settings.integer("port") else {
        throw TaskFailure("bad_request", "the connection has no address")
      }
      (self.host, self.port) = (host, Int32(truncatingIfNeeded: port))
    }
    user = settings.string("user")
    password = settings.string("password")
    client = PrivateRun.name(settings.string("client_id") ?? "signalbox-\(declaration.name)")
    isVersion5 = settings.string("version") != "3.1.1"
    keepalive = Int32(clamping: settings.integer("keepalive") ?? 30)
    session = UInt32(clamping: settings.integer("session") ?? 0)
    window = max(1, min(settings.integer("window") ?? 512, 4_096))
    limit = max(1, settings.integer("limit") ?? 1 << 20)
    tls = settings.nested("tls").map {
      Files(
        authorities: $0.string("ca") ?? SystemAuthorities.elsewhere, certificate: $0.string("certificate"),
        key: $0.string("key"))
    }
    // The will and the entities are those of the bridge that serves.
    let isPrivate = PrivateRun.isPresent
    let own = isPrivate ? nil : settings.nested("will").flatMap { MQTTMessage(will: $0) }
    let announced = settings.nested("discovery")
    reserved = isPrivate ? announced.map { "\($0.string("node") ?? Self.defaultNode)/" } : nil
    if let discovery = announced, !isPrivate {
      let node = discovery.string("node") ?? Self.defaultNode
      let availability = own?.topic ?? "\(node)/availability"
      self.discovery = Discovery(
        prefix: discovery.string("prefix") ?? "homeassistant", node: node, availability: availability,
        inventory: "\(node)/announced/\(client.replacing(/[\/+#]/, with: "_"))")
      will = own ?? MQTTMessage(topic: availability, payload: Array(Self.offline.utf8), qos: 1, isRetained: true)
    } else {
      discovery = nil
      will = own
    }
    secrets = [password, user].compactMap(\.self)
  }

  /// The settings of a client beside it that only publishes.
  var outbound: MQTTSettings {
    var outbound = self
    outbound.client += "-out"
    outbound.will = nil
    outbound.discovery = nil
    return outbound
  }

  /// True if a client with other settings has the session of this one.
  func hasSession(of other: MQTTSettings) -> Bool {
    (host, port, client) == (other.host, other.port, other.client)
  }

  /// True if both are clients of one broker.
  func hasBroker(of other: MQTTSettings) -> Bool { (host, port) == (other.host, other.port) }

  /// Returns a message of the library without what is secret.
  func redacted(_ message: String) -> String { message.hiding(secrets) }

  /// True for the state of an entity, in a bridge beside the one that serves.
  func isReserved(_ topic: String) -> Bool {
    reserved.map { topic.hasPrefix($0) && topic.hasSuffix("/state") } ?? false
  }

  /// The address as messages show it.
  var address: String { port == 0 ? "unix:\(host)" : "\(tls == nil ? "mqtt" : "mqtts")://\(host):\(port)" }
}
