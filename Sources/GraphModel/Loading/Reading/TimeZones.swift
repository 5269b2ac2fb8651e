package import Base

/// The time zones in a configuration, each read once from the system's files.
package final class TimeZones: TimeZoneSource {
  private let inputs: ConfigurationInputs
  /// By name; the local zone has an empty name.
  package private(set) var known: [String: TimeZone] = [:]

  init(_ inputs: ConfigurationInputs) { self.inputs = inputs }

  /// Returns a zone by name; `nil` for an unknown name.
  package func zone(named name: String) -> TimeZone? {
    if let zone = known[name] { return zone }
    let zone = readZone(named: name)
    known[name] = zone
    return zone
  }

  /// Records the local zone: that of the variable TZ, else of /etc/localtime, else UTC.
  func noteLocalZone() {
    if known[""] == nil { known[""] = fromEnvironment() ?? readZone(at: "/etc/localtime") ?? .utc }
  }

  private func fromEnvironment() -> TimeZone? {
    guard let variable = inputs.environment("TZ") else { return nil }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if name.hasPrefix("/") { return readZone(at: name) ?? .utc }
    return zone(named: name) ?? TimeZone(rule: name) ?? .utc
  }

  package func file(at path: String, upTo limit: Int) -> [UInt8]? { try? inputs.readFile(path, limit).get() }
}
