import Base

/// The time zones in a configuration, each read once from the system's files.
final class TimeZones {
  private static let folder = "/usr/share/zoneinfo"
  /// Larger than any zone file.
  private static let fileLimit = 256 << 10

  private let inputs: ConfigurationInputs
  /// By name; the local zone has an empty name.
  private(set) var known: [String: TimeZone] = [:]

  init(_ inputs: ConfigurationInputs) { self.inputs = inputs }

  /// Returns a zone by name; `nil` for an unknown name.
  func zone(named name: String) -> TimeZone? {
    if let zone = known[name] { return zone }
    let zone = name == "UTC" ? .utc : Self.isName(name) ? read("\(Self.folder)/\(name)") : nil
    known[name] = zone
    return zone
  }

  /// Records the local zone: that of the variable TZ, else of /etc/localtime, else UTC.
  func noteLocalZone() {
    if known[""] == nil { known[""] = fromEnvironment() ?? read("/etc/localtime") ?? .utc }
  }

  private func fromEnvironment() -> TimeZone? {
    guard let variable = inputs.environment("TZ") else { return nil }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if name.hasPrefix("/") { return read(name) ?? .utc }
    return zone(named: name) ?? TimeZone(rule: name) ?? .utc
  }

  private func read(_ path: String) -> TimeZone? {
    guard case .success(let file) = inputs.readFile(path, Self.fileLimit) else { return nil }
    return TimeZone(file: file)
  }

  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      part.first.map { $0.isASCII && $0.isLetter } ?? false && part.allSatisfy { $0.isASCII && $0 != "\0" && $0 != "." }
    }
  }

  /// The names of all zones, for suggestions.
  var names: [String] {
    guard case .success(let bytes) = inputs.readFile("\(Self.folder)/tzdata.zi", 1 << 20) else { return ["UTC"] }
    // A line `Z NAME …` declares a zone, `L ZONE NAME` an alias.
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = line.split(separator: UInt8(ascii: " "))
      switch words.first?.first {
      case UInt8(ascii: "Z"): return words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
      case UInt8(ascii: "L"): return words.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) }
      default: return nil
      }
    }
  }
}
