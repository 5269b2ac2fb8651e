package import Base

/// The time zones in a configuration, each read once from the system's files.
package final class TimeZones: TimeZoneSource {
  private let inputs: ConfigurationInputs
  /// By name; the local zone has an empty name.
  package private(set) var known: [String: TimeZone] = [:]

  private var lookedUp: Set<String> = []
  private var digests: [String: UInt64] = [:]

  init(_ inputs: ConfigurationInputs) { self.inputs = inputs }

  /// Returns a zone by name; `nil` for an unknown name.
  package func zone(named name: String) -> TimeZone? {
    if let zone = known[name] { return zone }
    let zone = readZone(named: name)
    known[name] = zone
    return zone
  }

  package var localZone: TimeZone {
    if let zone = known[""] { return zone }
    let zone = readLocalZone(inputs.environment("TZ"))
    known[""] = zone
    return zone
  }

  /// Returns a text that differs for zones that differ, of all that expressions have looked up since the last call.
  package func takeLookedUp() -> String {
    defer { lookedUp = [] }
    return lookedUp.sorted().map { "\($0) \(digest(of: $0))" }.joined(separator: "\n")
  }

  /// Notes the zones that an expression has looked up.
  func note(_ names: [String]) { lookedUp.formUnion(names) }

  private func digest(of name: String) -> UInt64 {
    if let digest = digests[name] { return digest }
    let digest = (known[name] ?? .utc).digest
    digests[name] = digest
    return digest
  }

  package func file(at path: String, upTo limit: Int) -> [UInt8]? { try? inputs.readFile(path, limit).get() }
}
