import JSON

/// The settings of a connection to NATS servers.
enum NATSConnection: PeerSettingsReader {
  static let keys = ["credentials", "user", "password", "token", "tls", "window", "limit"]

  private static let schemes = [(name: "nats", port: 4222), (name: "tls", port: 4222)]
  private static let defaultLimit = 1 << 20
  private static let greatestLimit = 64 << 20
  private static let mostServers = 64

  static func read(_ address: Reader?, _ mapping: MappingReader) -> PeerSettings? {
    let errors = mapping.problems.errorCount
    var settings = PeerSettings(values: [:])
    let isEncrypted = address.flatMap { read(addresses: $0, into: &settings) }
    for key in ["credentials", "user", "password", "token"] { settings.set(key, secret: mapping.optional(key)) }
    checkLogin(mapping)
    let window = mapping.optional("window")?.int(in: 1...4_096) ?? 512
    settings.values["window"] = .number(Double(window))
    let limit = mapping.optional("limit")?.size(in: 1...greatestLimit) ?? defaultLimit
    settings.values["limit"] = .number(Double(limit))
    if let tls = mapping.optional("tls") {
      settings.values["tls"] = TLSFiles.read(tls).map { .object($0) }
    } else if isEncrypted == true {
      settings.values["tls"] = [:]
    }
    return mapping.problems.errorCount == errors ? settings : nil
  }

  private static func checkLogin(_ mapping: MappingReader) {
    let given = ["credentials", "user", "token"].compactMap { mapping.entry($0) }
    if given.count > 1 { mapping.problems.error("give one of credentials, user and token", at: given[1].key) }
    if (mapping.entry("user") == nil) != (mapping.entry("password") == nil) {
      let entry = mapping.entry("user") ?? mapping.entry("password")
      mapping.problems.error("a user and a password go together", at: entry?.key ?? mapping.node)
    }
  }

  /// Reads one address or several; returns whether they ask for TLS.
  private static func read(addresses reader: Reader, into settings: inout PeerSettings) -> Bool? {
    let readers = reader.oneOrList()
    if !(1...mostServers).contains(readers.count) {
      reader.problems.error("expected 1 to \(mostServers) addresses", at: reader)
      return nil
    }
    settings.show(readers)
    var isEncrypted: Bool?
    var servers: [JSONValue] = []
    for reader in readers {
      guard let text = reader.text(), !reader.isOpen else { continue }
      settings.secrets += SecretText(reader, where: SecretText.isHidden)?.secrets ?? []
      do throws(HTTPAddressError) {
        let address = try BrokerAddress(text, schemes: schemes)
        isEncrypted = (isEncrypted ?? false) || address.scheme == "tls"
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        servers.append(.string("\(address.scheme)://\(host):\(address.port)"))
      } catch {
        reader.problems.error(error.message, at: reader)
      }
    }
    settings.values["servers"] = .array(servers)
    return isEncrypted
  }
}
