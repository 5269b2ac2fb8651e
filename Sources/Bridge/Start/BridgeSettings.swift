internal import Linux

/// The settings of the bridge.
struct BridgeSettings: Sendable {
  /// The path of the daemon's socket.
  var socket: String
  /// The descriptor of a connection to the daemon that started the bridge; it is not made again.
  var inherited: Int32?
  /// The most tasks of each connection that wait for their acknowledgement.
  var window = 1024

  init(socket: String = SocketPath.ofDaemon, inherited: Int32? = nil) {
    self.socket = socket
    self.inherited = inherited
  }
}
