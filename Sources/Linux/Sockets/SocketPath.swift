/// The rule for paths of Unix sockets that users name, for servers and clients alike.
package enum SocketPath {
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
