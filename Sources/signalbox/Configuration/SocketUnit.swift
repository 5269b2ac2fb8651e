internal import GraphModel

/// The socket unit, if it is enabled: it overrides the configured socket.
struct SocketUnit {
  private let file: UnitFile
  /// True for an instance, whose unit determines the path of the socket.
  private let isInstance: Bool

  init?(_ name: UnitName) {
    guard UnitFile.isWanted(name, "socket", by: "sockets.target"), let file = UnitFile(name, "socket") else {
      return nil
    }
    self.file = file
    isInstance = name.instance != nil
  }

  /// Returns the differences from the configuration that the daemon warns of at its start.
  func differences(from settings: SocketSettings) -> [String] {
    var list: [String] = []
    func compare(_ key: String, _ value: String?, _ name: String, _ configured: String, _ isSame: (String) -> Bool) {
      guard let value, !isSame(value) else { return }
      list.append("\(file.path) has \(key)=\(value), which overrides server.socket.\(name) (\(configured))")
    }
    compare("ListenStream", isInstance ? nil : file.value(of: "ListenStream"), "path", settings.path) {
      $0 == settings.path
    }
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
