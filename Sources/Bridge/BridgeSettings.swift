/// The settings of the bridge.
package struct BridgeSettings: Sendable {
  package static let defaultSocket = "/run/signalbox/signalbox.sock"

  /// The path of the daemon's socket.
  package var socket: String
  /// The descriptor of a connection to the daemon that started the bridge; it is not made again.
  package var inherited: Int32?
  /// The most tasks of each connection that wait for their acknowledgement.
  package var window = 1024

  package init(socket: String = defaultSocket, inherited: Int32? = nil) {
    self.socket = socket
    self.inherited = inherited
  }
}
