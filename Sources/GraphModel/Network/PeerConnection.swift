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
    (mapping.entries() ?? []).compactMap { entry in
      let connection = read(entry, mapping.context)
      if connection == nil { mapping.context.brokenConnections.insert(entry.name) }
      return connection
    }
  }

  private static func read(_ entry: ConfigNode.Entry, _ context: ReadingContext) -> PeerConnection? {
    let name = context.name(key: entry.key)
    guard let mapping = context.reader(entry.value).mapping() else { return nil }
    let given = PeerKind.declared.compactMap { kind in mapping.optional(kind.rawValue).map { (kind, $0) } }
    guard let (kind, address) = given.first else {
      mapping.reportMissingKind(at: entry.key)
      return nil
    }
    let settings = kind.settings.read(address, mapping)
    mapping.finish()
    if given.count > 1 {
      context.problems.error("a connection has one kind, and this one is of kind \(kind.rawValue)", at: given[1].1)
      return nil
    }
    guard let name, let settings else { return nil }
    return PeerConnection(
      name: name, kind: settings.kind ?? kind, settings: settings.values, base: settings.base,
      secrets: settings.secrets, address: settings.address,
      isOpen: context.reader(entry.value).scalars.contains(where: \.isOpen))
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
    one.name == other.name && one.kind == other.kind && one.base == other.base
      && JSONValue.object(one.settings).description == JSONValue.object(other.settings).description
  }
}

extension MappingReader {
  /// Reports that a connection has no kind, and the errors in the settings of the kind that it probably has.
  fileprivate func reportMissingKind(at key: ConfigNode) {
    let entries = node.entries ?? []
    let names = PeerKind.declared.map(\.rawValue)
    let misspelt = entries.lazy.compactMap { entry in
      Suggestion.likely(for: entry.name, among: names).map { (entry: entry, kind: $0) }
    }.first
    problems.error(
      "a connection needs the address of its peer under its kind, one of: \(names.joined(separator: ", "))", at: key,
      suggestion: misspelt?.kind)
    let address = misspelt.flatMap { optional($0.entry.name) }
    let resemblance = { (kind: PeerKind) in entries.count { kind.settings.keys.contains($0.name) } }
    let likely = PeerKind.declared.max { resemblance($0) < resemblance($1) }
    guard
      let kind = misspelt.map({ PeerKind(rawValue: $0.kind) }) ?? likely.flatMap({ resemblance($0) > 0 ? $0 : nil })
    else { return }
    _ = kind.settings.read(address, self)
    finish()
  }
}
