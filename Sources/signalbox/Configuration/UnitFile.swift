internal import GraphModel
internal import Linux

/// A unit as systemd reads it: its file, then its drop-ins (`systemd.unit(5)`).
struct UnitFile {
  let path: String
  private let name: UnitName
  private var settings: [(key: String, value: String)] = []

  /// The directories of system units, in order of precedence.
  private static var folders: [String] {
    if let path = CurrentProcess.environment("SYSTEMD_UNIT_PATH") { return path.split(separator: ":").map(String.init) }
    return [
      "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
      "/lib/systemd/system",
    ]
  }

  /// The largest unit file, in bytes.
  private static let fileLimit = 1 << 20

  /// Reads the unit of a kind; `nil` if it is not installed, or masked.
  init?(_ name: UnitName, _ kind: String) {
    self.name = name
    let names = name.files(kind)
    let places = names.flatMap { name in Self.folders.map { "\($0)/\(name)" } }
    guard let path = places.first(where: { FilePermissions(path: $0) != nil }), let text = Self.text(of: path),
      !text.isEmpty
    else { return nil }
    self.path = path
    add(text)
    for path in Self.dropIns(of: names) { add(Self.text(of: path) ?? "") }
  }

  /// Indicates that a target wants the unit (`systemctl enable`).
  static func isWanted(_ name: UnitName, _ kind: String, by target: String) -> Bool {
    folders.contains { FilePermissions(path: "\($0)/\(target).wants/\(name.unit(kind))") != nil }
  }

  /// Returns the last value of a setting.
  func value(of key: String) -> String? { values(of: key).last }

  /// Returns all values of a cumulative setting; an empty one discards those before it.
  func values(of key: String) -> [String] {
    var values: [String] = []
    for setting in settings where setting.key == key {
      if setting.value.isEmpty { values = [] } else { values.append(name.expand(setting.value)) }
    }
    return values
  }

  /// Returns the words of all values of a setting.
  func words(of key: String) -> [String] { values(of: key).flatMap { UnitWords($0).list } }

  private mutating func add(_ text: String) {
    var line = ""
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if let first = trimmed(part).first, first == "#" || first == ";" { continue }
      if part.last == "\\" {
        line += part.dropLast() + " "
        continue
      }
      add(line: line + part)
      line = ""
    }
  }

  private mutating func add(line: String) {
    guard let equals = line.firstIndex(of: "=") else { return }
    settings.append((trimmed(line[..<equals]), trimmed(line[line.index(after: equals)...])))
  }

  private static func text(of path: String) -> String? {
    guard case .success(let bytes) = ConfigurationInputs.system.readFile(path, fileLimit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the drop-ins by name; a directory hides files of the same name in later ones.
  private static func dropIns(of names: [String]) -> [String] {
    var paths: [String: String] = [:]
    for folder in names.flatMap({ name in folders.map { "\($0)/\(name).d" } }) {
      guard case .success(let files) = ConfigurationInputs.system.listDirectory(folder) else { continue }
      for file in files where file.hasSuffix(".conf") && paths[file] == nil { paths[file] = "\(folder)/\(file)" }
    }
    return paths.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// Returns a text without surrounding blanks.
func trimmed(_ text: some StringProtocol) -> String {
  let tail = text.drop { $0 == " " || $0 == "\t" }
  return String(
    tail.prefix(upTo: tail.lastIndex { $0 != " " && $0 != "\t" }.map(tail.index(after:)) ?? tail.startIndex))
}
