import JSON

/// The settings of a connection to an MQTT broker.
enum MQTTConnection: PeerSettingsReader {
  static let keys = [
    "user", "password", "client_id", "version", "keepalive", "session", "window", "limit", "tls", "will", "discovery",
  ]

  private static let schemes = [(name: "mqtt", port: 1883), (name: "mqtts", port: 8883)]
  private static let defaultKeepalive = Duration.seconds(30)
  private static let defaultSession = Duration.seconds(7 * 86_400)
  private static let defaultLimit = 1 << 20
  private static let greatestLimit = 64 << 20
  /// The longest text in a packet, in bytes.
  private static let longestText = 65_535

  static func read(_ address: Reader?, _ mapping: MappingReader) -> PeerSettings? {
    let errors = mapping.problems.errorCount
    var settings = PeerSettings(values: [:])
    let isEncrypted = address.flatMap { read(address: $0, into: &settings) }
    settings.set("user", secret: mapping.optional("user"))
    let password = mapping.optional("password")
    settings.set("password", secret: password)
    if let password, mapping.entry("user") == nil {
      mapping.problems.error("a password goes with a user", at: password)
    }
    if let reader = mapping.optional("client_id") {
      settings.set("client_id", text: reader)
      if case .string(let text)? = settings.values["client_id"], !(1...longestText).contains(text.utf8.count) {
        reader.problems.error("a client_id has 1 to \(longestText) bytes", at: reader)
      }
    }
    let version = mapping.optional("version")?.choice(of: ["3.1.1", "5"]) ?? "5"
    settings.values["version"] = .string(version)
    let keepalive = mapping.optional("keepalive")?.duration(in: .seconds(5)...(.seconds(65_535))) ?? defaultKeepalive
    settings.values["keepalive"] = .number((keepalive / .seconds(1)).rounded())
    let session = mapping.optional("session")?.duration(in: .seconds(1)...(.seconds(4_000_000_000))) ?? defaultSession
    settings.values["session"] = .number((session / .seconds(1)).rounded())
    let window = mapping.optional("window")?.int(in: 1...4_096) ?? 512
    settings.values["window"] = .number(Double(window))
    let limit = mapping.optional("limit")?.size(in: 1...greatestLimit) ?? defaultLimit
    settings.values["limit"] = .number(Double(limit))
    if let tls = mapping.optional("tls") {
      settings.values["tls"] = TLSFiles.read(tls).map { .object($0) }
    } else if isEncrypted == true {
      settings.values["tls"] = [:]
    }
    if let will = mapping.optional("will") { settings.values["will"] = self.will(will).map { .object($0) } }
    if let discovery = mapping.optional("discovery") {
      settings.values["discovery"] = self.discovery(discovery).map { .object($0) }
    }
    return mapping.problems.errorCount == errors ? settings : nil
  }

  /// Reads the address; returns whether it asks for TLS.
  private static func read(address reader: Reader, into settings: inout PeerSettings) -> Bool? {
    guard let text = reader.text(), !reader.isOpen else { return nil }
    settings.show([reader])
    settings.secrets = SecretText(reader, where: SecretText.isHidden)?.secrets ?? []
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
        reader.problems.error("a socket's address is an absolute path, as in unix:/run/mosquitto.sock", at: reader)
        return nil
      }
      settings.values["path"] = .string(String(path))
      return false
    }
    do throws(HTTPAddressError) {
      let address = try BrokerAddress(text, schemes: schemes)
      settings.values["host"] = .string(address.host)
      settings.values["port"] = .number(Double(address.port))
      return address.scheme == "mqtts"
    } catch {
      reader.problems.error(error.message + ", or unix:/path", at: reader)
      return nil
    }
  }

  /// Reads `will: {topic, payload, qos, retain}`.
  private static func will(_ reader: Reader) -> JSONObject? {
    guard let mapping = reader.mapping(of: ["topic", "payload", "qos", "retain"]) else { return nil }
    var will = JSONObject()
    if let topic = mapping.required("topic"), let text = topic.text() {
      if let problem = MQTTTopic.problem(in: text) { topic.problems.error(problem, at: topic) }
      will["topic"] = .string(text)
    }
    will["payload"] = .string(mapping.optional("payload")?.text() ?? "")
    will["qos"] = .number(Double(mapping.optional("qos")?.int(in: 0...2) ?? 0))
    will["retain"] = .bool(mapping.optional("retain")?.bool() ?? false)
    return will
  }

  /// Reads `discovery: homeassistant` or `discovery: {homeassistant: PREFIX, node: NAME}`.
  private static func discovery(_ reader: Reader) -> JSONObject? {
    var (prefix, node) = ("homeassistant", "signalbox")
    if reader.node.entries != nil {
      guard let mapping = reader.mapping(of: ["homeassistant", "node"]) else { return nil }
      if let given = mapping.required("homeassistant"), let text = given.text() {
        if let problem = MQTTTopic.problem(in: text) { given.problems.error(problem, at: given) }
        prefix = text
      }
      if let given = mapping.optional("node"), let text = given.text() {
        if !Name.isValid(text) {
          given.problems.error("a node is named by letters, digits, \"_\" and \"-\"", at: given)
        }
        node = text
      }
    } else if reader.choice(of: ["homeassistant"]) == nil {
      return nil
    }
    return ["prefix": .string(prefix), "node": .string(node)]
  }
}
