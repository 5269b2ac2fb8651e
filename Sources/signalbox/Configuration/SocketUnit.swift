internal import Linux
internal import SignalGraph

/// The socket unit, where it is enabled: its socket wins over the configured one.
struct SocketUnit {
  private static let name = "signalbox.socket"

  private let file: UnitFile

  init?() {
    let links = ["/etc/systemd/system", "/run/systemd/system"].map { "\($0)/sockets.target.wants/\(Self.name)" }
    let folders = CurrentProcess.environment("SYSTEMD_UNIT_PATH")?.split(separator: ":") ?? []
    let candidates = folders.isEmpty ? links : folders.map { "\($0)/sockets.target.wants/\(Self.name)" }
    guard candidates.contains(where: { FilePermissions(path: $0) != nil }), let file = UnitFile(named: Self.name) else {
      return nil
    }
    self.file = file
  }

  /// Where it differs from what a configuration says, as the daemon warns of it at its start.
  func differences(from settings: SocketSettings) -> [String] {
    var list: [String] = []
    func compare(_ key: String, _ value: String?, _ name: String, _ configured: String, _ isSame: (String) -> Bool) {
      guard let value, !isSame(value) else { return }
      list.append("\(file.path) has \(key)=\(value), which wins over server.socket.\(name), \(configured)")
    }
    compare("ListenStream", file.value(of: "ListenStream"), "path", settings.path) { $0 == settings.path }
    let mode = "0" + String(settings.mode, radix: 8)
    compare("SocketMode", file.value(of: "SocketMode") ?? "0666", "mode", mode) {
      UInt32($0, radix: 8) == settings.mode
    }
    if let group = settings.group {
      compare("SocketGroup", file.value(of: "SocketGroup") ?? "root", "group", group) { $0 == group }
    }
    return list
  }
}
