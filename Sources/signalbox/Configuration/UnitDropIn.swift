internal import SignalGraph

/// What the shipped unit of the service has to be widened by for a configuration, as a drop-in for systemd.
struct UnitDropIn {
  let lines: [String]

  init(_ needs: [(need: OutsideNeed, users: [String])], of path: String) {
    var lines: [String] = []
    var settings: [String] = []
    for (need, users) in needs {
      let names = users.joined(separator: ", ")
      switch need {
      case .program:
        lines.append("# Programs are run (\(names)): the shipped exec.conf belongs beside this file, too.")
      case .reading(let path): Self.add(Self.settings(forReading: path), "\(names) reads \(path)", to: &settings)
      case .writing(let path): Self.add(Self.settings(forWriting: path), "\(names) writes \(path)", to: &settings)
      }
    }
    if lines.isEmpty, settings.isEmpty { lines = ["# \(path) needs nothing beyond the shipped unit."] }
    self.lines = lines + (settings.isEmpty ? [] : ["[Service]"]) + settings
  }

  private static func add(_ new: [String], _ why: String, to settings: inout [String]) {
    guard !new.isEmpty else { return }
    let missing = new.filter { !settings.contains($0) }
    if !missing.isEmpty { settings += ["# \(why)."] + missing }
  }

  /// Below these the unit lets nothing be seen.
  private static let homes = ["/home/", "/root/", "/run/user/"]

  private static func settings(forReading path: String) -> [String] {
    if homes.contains(where: path.hasPrefix) { return ["ProtectHome=read-only"] }
    if path.hasPrefix("/tmp/") || path.hasPrefix("/var/tmp/") { return ["PrivateTmp=no"] }
    if path.hasPrefix("/dev/") { return ["PrivateDevices=no", "DeviceAllow=\(path) r"] }
    return []
  }

  private static func settings(forWriting path: String) -> [String] {
    if path.hasPrefix("/run/signalbox/") { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
    return (homes.contains(where: path.hasPrefix) ? ["ProtectHome=no"] : settings(forReading: path))
      + ["ReadWritePaths=\(folder.isEmpty ? "/" : folder)"]
  }
}
