/// The socket that clients connect to, unless systemd passes one.
package struct SocketSettings: Sendable, Equatable {
  package var path = "/run/signalbox/signalbox.sock"
  /// The permissions of the socket, which control access to it.
  package var mode: UInt32 = 0o660
  /// The name or number of its group; `nil` for the daemon's own.
  package var group: String?

  package init() {}

  /// The length of `sun_path` in `sockaddr_un`, without the terminating NUL.
  private static let longestPath = 107

  static let keys = ["path", "mode", "group"]

  init(reading reader: MappingReader) {
    if let path = reader.optional("path") { self.path = Self.socketPath(path) ?? self.path }
    mode = reader.optional("mode")?.mode() ?? mode
    if let group = reader.optional("group") { self.group = Self.group(group) }
  }

  private static func group(_ reader: Reader) -> String? {
    guard let name = reader.text() else { return nil }
    if UInt32(name) != nil || reader.context.inputs.hasGroup(name) { return name }
    reader.problems.error("no group \"\(name)\" on this machine: create it, or set another", at: reader)
    return nil
  }

  private static func socketPath(_ reader: Reader) -> String? {
    guard let path = reader.path() else { return nil }
    if path.utf8.count <= longestPath { return path }
    reader.problems.error("socket path exceeds \(longestPath) bytes", at: reader)
    return nil
  }
}
