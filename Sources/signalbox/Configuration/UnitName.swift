/// The units of the one service, or of an instance of `signalbox@`.
struct UnitName {
  /// `nil` for the one service.
  let instance: String?

  /// The characters that a unit's name may have (`systemd.unit(5)`).
  private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-_.\\@")
  private static let longestName = 255

  /// Whether systemd takes its units.
  var isValid: Bool {
    guard let instance else { return true }
    return !instance.isEmpty && instance.allSatisfy(Self.letters.contains) && unit("service").count <= Self.longestName
  }

  /// The name of the unit of a kind: `signalbox@kitchen.service`.
  func unit(_ kind: String) -> String { "signalbox\(instance.map { "@" + $0 } ?? "").\(kind)" }

  /// The names of its files and drop-in folders, its own before those of the template.
  func files(_ kind: String) -> [String] { [unit(kind)] + (instance == nil ? [] : ["signalbox@.\(kind)"]) }

  /// The folder of its configuration.
  var configuration: String { "/etc/signalbox" + (instance.map { "/" + $0 } ?? "") }

  /// The folder that is its own below `/run`, `/var/lib` and others.
  var folder: String { "signalbox" + (instance.map { "-" + $0 } ?? "") }

  /// A text with the specifiers that paths are made of (`systemd.unit(5)`); others stay as they are.
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
