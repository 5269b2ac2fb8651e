import Base
import Expressions
package import JSON

/// A connection of `server.connections`: a peer on the network, which signals and actions name.
package struct PeerConnection: Sendable {
  package let name: String
  package let kind: PeerKind
  /// The settings for the adapter: `${…}` replaced, defaults filled in, durations in seconds, sizes in bytes.
  package let settings: JSONObject
  /// The beginning of the paths of all requests.
  package let base: String
  /// The texts that credentials and files gave, which are never shown.
  package private(set) var secrets: [String]
  /// The address as it may be shown.
  package let address: String
  /// True if only the service has a part of its settings.
  package let isOpen: Bool
  /// The longest body that the adapter reports, in bytes.
  package var bodyLimit: Int { Int(settings["limit"].flatMap(\.asNumber) ?? 0) }
  /// The node that it announces to Home Assistant, if it does.
  package var node: String? {
    guard kind == .mqtt, case .object(let discovery)? = settings["discovery"]?.plain else { return nil }
    return if case .string(let node)? = discovery["node"]?.plain { node } else { nil }
  }
  /// The most requests at the same time.
  package var concurrent: Int { Int(settings["concurrent"].flatMap(\.asNumber) ?? 1) }
  /// The most tasks that an adapter has at the same time: as many again as run follow at once.
  package var mostTasks: Int { settings["window"].flatMap(\.asNumber).map { Int($0) } ?? 2 * concurrent }

  /// Reads `server.connections`; the names of those with errors are noted, so that signals may name them.
  static func all(reading mapping: Reader) -> [PeerConnection] {
    let context = mapping.context
    var names = BrokerClientNames(context.problems)
    return (mapping.entries() ?? []).compactMap { entry in
      if let connection = read(entry, context) {
        if connection.kind == .mqtt { names.note(connection, entry.value["client_id"]) }
        return connection
      }
      context.brokenConnections.insert(entry.name)
      let keys = entry.value.entries?.map(\.name)
      if keys?.contains(where: { Suggestion.likely(for: $0, among: ["discovery"]) != nil }) != false {
        context.hasBrokenDiscovery = true
      }
      return nil
    }
  }

  private static func read(_ entry: ConfigNode.Entry, _ context: ReadingContext) -> PeerConnection? {
    let name = context.name(key: entry.key)
    let reader = context.reader(entry.value)
    guard let entries = reader.entries() else { return nil }
    let given = PeerKind.declared.compactMap { kind in entries.first { $0.name == kind.rawValue }.map { (kind, $0) } }
    guard let (kind, address) = given.first else {
      reportMissingKind(of: reader, entries, at: entry.key)
      return nil
    }
    guard let mapping = reader.mapping(of: given.map(\.1.name) + kind.settings.keys) else { return nil }
    let settings = kind.settings.read(context.reader(address.value), mapping)
    if given.count > 1 {
      context.problems.error(
        "a connection has one kind, and this one is of kind \(kind.rawValue)", at: given[1].1.value)
      return nil
    }
    guard let name, let settings else { return nil }
    return PeerConnection(
      name: name, kind: settings.kind ?? kind, settings: settings.values, base: settings.base,
      secrets: settings.secrets, address: settings.address,
      isOpen: reader.scalars.contains(where: \.isOpen))
  }

  /// Reports that a connection has no kind, and the errors in the settings of the kind that it probably has.
  private static func reportMissingKind(of reader: Reader, _ entries: [ConfigNode.Entry], at key: ConfigNode) {
    let names = PeerKind.declared.map(\.rawValue)
    let misspelt = entries.lazy.compactMap { entry in
      Suggestion.likely(for: entry.name, among: names).map { (entry: entry, kind: PeerKind(rawValue: $0)) }
    }.first
    reader.problems.error(
      "a connection needs the address of its peer under its kind, one of: \(names.joined(separator: ", "))", at: key,
      suggestion: misspelt?.kind.rawValue)
    let resemblance = { (kind: PeerKind) in entries.count { kind.settings.keys.contains($0.name) } }
    let likely = PeerKind.declared.max { resemblance($0) < resemblance($1) }
    guard let kind = misspelt?.kind ?? likely.flatMap({ resemblance($0) > 0 ? $0 : nil }),
      let mapping = reader.mapping(of: kind.settings.keys, formerly: misspelt.map { [$0.entry.name] } ?? [])
    else { return }
    _ = kind.settings.read(misspelt.map { reader.context.reader($0.entry.value) }, mapping)
  }

  /// Adds secrets that other declarations hand to adapters, if another adapter makes the connection.
  package mutating func hide(_ others: [String]) {
    if !PeerKind.bundled.contains(kind) { secrets += others }
  }

  /// Returns a text without the secrets of this connection.
  package func withoutSecrets(_ text: String) -> String { text.hiding(secrets) }
}

extension PeerConnection: Equatable {
  package static func == (one: PeerConnection, other: PeerConnection) -> Bool {
    one.name == other.name && one.kind == other.kind && one.base.hasSameBytes(as: other.base)
      && JSONValue.object(one.settings).json == JSONValue.object(other.settings).json
  }
}
