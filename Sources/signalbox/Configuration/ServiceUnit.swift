internal import Glibc
internal import GraphModel
internal import Linux

/// The service's unit as the environment of a configuration: its variables, credentials, directories and groups.
///
/// Without an installed unit, it is the shipped one, which provides only the directories of its socket and its state.
struct ServiceUnit: Sendable {
  let name: UnitName
  private let file: UnitFile?
  private(set) var environment: [String: String] = [:]
  /// Parts of the unit that cannot be read, or that prevent the service from starting.
  private(set) var notes: [String] = []

  /// The largest environment file or credential, in bytes.
  private static let fileLimit = 1 << 20

  init(_ name: UnitName) {
    self.name = name
    file = UnitFile(name, "service")
    for folder in ServiceFolder.all {
      let names = words(of: folder.setting)
      if !names.isEmpty { environment[folder.variable] = names.map { "\(folder.root)/\($0)" }.joined(separator: ":") }
    }
    for word in words(of: "Environment") { add(assignment: word) }
    for path in file?.values(of: "EnvironmentFile") ?? [] { addEnvironment(of: path) }
    if file == nil { notes.append("\(name.unit("service")) is not installed here: checked the shipped unit instead") }
  }

  /// Its path, for messages.
  var path: String { file?.path ?? "the shipped unit" }

  /// The inputs of a configuration in the service.
  var inputs: ConfigurationInputs {
    var inputs = ConfigurationInputs.system
    let unit = self
    inputs.environment = { unit.environment[$0] }
    inputs.credential = { unit.credential($0) }
    inputs.viewpoint = .unit
    return inputs
  }

  /// Indicates that it has a setting already, so that a drop-in does not need it.
  func has(_ key: String, _ value: String) -> Bool {
    words(of: key).contains { $0 == value || $0 == "-\(value)" } || file?.values(of: key).contains(value) == true
  }

  func words(of key: String) -> [String] {
    if let file { return file.words(of: key) }
    return ["RuntimeDirectory", "StateDirectory"].contains(key) ? [name.folder] : []
  }

  var user: String { file?.value(of: "User") ?? "signalbox" }

  /// The groups of the daemon, as far as they are known on this machine.
  var groupIDs: [UInt32] {
    var ids = Accounts.groupIDs(ofUser: user) ?? []
    for name in words(of: "SupplementaryGroups") + [file?.value(of: "Group") ?? user] {
      if let id = Accounts.groupID(named: name) ?? UInt32(name) { ids.append(id) }
    }
    return ids
  }

  private mutating func add(assignment: String) {
    guard let equals = assignment.firstIndex(of: "=") else { return }
    environment[String(assignment[..<equals])] = String(assignment[assignment.index(after: equals)...])
  }

  /// Adds the assignments in a file (`EnvironmentFile=`); with a leading `-` it may be missing.
  private mutating func addEnvironment(of setting: String) {
    let path = setting.hasPrefix("-") ? String(setting.dropFirst()) : setting
    switch ConfigurationInputs.system.readFile(path, Self.fileLimit) {
    case .success(let bytes):
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(trimmed)
      where line.first != "#" && line.first != ";" {
        guard let equals = line.firstIndex(of: "=") else { continue }
        let value = UnitWords(trimmed(line[line.index(after: equals)...])).list.joined(separator: " ")
        environment[trimmed(line[..<equals])] = value
      }
    case .failure(.missing) where path != setting: break
    case .failure(let failure):
      notes.append("EnvironmentFile=\(path) skipped: \(failure.meaning)")
    }
  }

  /// Returns a credential of the unit, with its content if it can be read.
  private func credential(_ name: String) -> (path: String, content: Result<[UInt8], FileFailure>)? {
    for value in (file?.values(of: "SetCredential") ?? []).reversed() where value.hasPrefix("\(name):") {
      return (path, .success(Array(value.dropFirst(name.utf8.count + 1).utf8)))
    }
    for value in file?.values(of: "LoadCredential") ?? [] {
      let parts = value.split(separator: ":", maxSplits: 1)
      guard parts.first.map(String.init) == name else { continue }
      let path = parts.count > 1 ? String(parts[1]) : "/etc/credstore/\(name)"
      return (path, ConfigurationInputs.system.readFile(path, Self.fileLimit))
    }
    for key in ["LoadCredentialEncrypted", "SetCredentialEncrypted"] {
      for value in file?.values(of: key) ?? [] where value == name || value.hasPrefix("\(name):") {
        return ("\(key)=\(name)", .failure(.system(EACCES)))
      }
    }
    return nil
  }
}
