/// The rules for paths of Unix sockets: for those that users name, and for that of the daemon.
package enum SocketPath {
  /// The path of the daemon's socket, unless another one is given.
  package static let ofDaemon = "/run/signalbox/signalbox.sock"

  /// Returns the path of the daemon's socket for a client: its option, else `SIGNALBOX_SOCKET`, else the default.
  package static func ofDaemon(option: String?) -> String {
    option ?? CurrentProcess.environment("SIGNALBOX_SOCKET") ?? ofDaemon
  }

  /// Returns the reason that a path is refused; `nil` for a path in the file system.
  ///
  /// `@name` means an abstract socket in systemd, socat and ss. These have no permissions, which decide here who may
  /// connect, and a file of that name would be a surprise.
  package static func refusal(of path: String) -> String? {
    guard path.hasPrefix("@") else { return nil }
    return "\(path): abstract sockets are not supported, since no permissions protect them: "
      + "use a path in the file system (./\(path) for a file of this name)"
  }
}
