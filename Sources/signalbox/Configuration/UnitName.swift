/// The units of the plain service, or of an instance of `signalbox@`.
struct UnitName {
  /// `nil` for the plain service.
  let instance: String?

  /// The characters of a unit name (`systemd.unit(5)`).
  private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-_.\\@")
  private static let longestName = 255

  /// True if systemd accepts the unit names.
  var isValid: Bool {
    guard let instance else { return true }
    return !instance.isEmpty && instance.allSatisfy(Self.letters.contains) && unit("service").count <= Self.longestName
  }

  /// Returns the name of a unit: `signalbox@kitchen.service`.
  func unit(_ kind: String) -> String { "signalbox\(instance.map { "@" + $0 } ?? "").\(kind)" }

  /// Returns the names of its files and drop-in directories, its own before those of the template.
  func files(_ kind: String) -> [String] { [unit(kind)] + (instance == nil ? [] : ["signalbox@.\(kind)"]) }

  /// The directory of its configuration.
  var configuration: String { "/etc/signalbox" + (instance.map { "/" + $0 } ?? "") }

  /// The name of its directories in `/run`, `/var/lib` and others.
  var folder: String { "signalbox" + (instance.map { "-" + $0 } ?? "") }

  /// Expands the specifiers that paths contain (`systemd.unit(5)`); others are left unchanged.
  func expand(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var result = ""
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...]
      result += rest.dropFirst().first.flatMap(value) ?? String(rest.prefix(2))
      rest = rest.dropFirst(2)
    }
    return result + rest
  }

  private func value(of specifier: Character) -> String? {
    switch specifier {
    case "%": "%"
    case "n": unit("service")
    case "N": "signalbox" + (instance.map { "@" + $0 } ?? "")
    case "p": "signalbox"
    case "i": instance ?? ""
    case "t": "/run"
    case "S": "/var/lib"
    case "C": "/var/cache"
    case "L": "/var/log"
    case "E": "/etc"
    default: nil
    }
  }
}
