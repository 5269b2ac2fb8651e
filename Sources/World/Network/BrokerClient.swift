import GraphModel
import Linux

/// The name that a daemon's client has at an MQTT broker where the configuration gives none.
enum BrokerClient {
  /// Returns a name that no other daemon has: those of a host are told apart by their sockets.
  static func name(for connection: String, socket: String?) -> String {
    ["signalbox", CurrentProcess.hostName, socket.flatMap(instance), connection].compactMap(\.self)
      .joined(separator: "-")
  }

  /// Returns what tells a daemon from the one at the default socket: the name of an instance, or a hash of the path.
  private static func instance(at socket: String) -> String? {
    if socket == SocketSettings().path { return nil }
    if let match = socket.wholeMatch(of: /\/run\/signalbox-([^\/]+)\/signalbox\.sock/) { return String(match.1) }
    let hash = socket.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return String(hash, radix: 16)
  }
}
