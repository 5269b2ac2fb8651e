package import Base

/// The settings of `server`: the daemon's own behaviour, independent of its graphs.
package struct ServerSettings: Sendable, Equatable {
  package var socket = SocketSettings()
  package var access = ServerAccess()
  package var limits = Limits()
  package var log = LogSettings()
  /// The bus on which signals are published, if any.
  package var dbus: BusSettings?
  /// The folder with the state of durable graphs; `nil` leaves the choice to the environment.
  package var state: String?
  /// The location of the machine, for calendar times that follow the sun.
  package var location: GeographicLocation?
  /// The peers on the network, in the order of the files.
  package var connections: [PeerConnection] = []
  /// The program that speaks with them; `nil` leaves the choice to the environment.
  package var bridge: BridgeProgram?
  /// The cluster that the daemon is a node of, if it is one.
  package var cluster: ClusterSettings?

  package init() {}

  private static let keys = [
    "socket", "access", "limits", "log", "dbus", "state", "location", "connections", "bridge", "cluster",
  ]

  /// Reads a `server` section; an invalid setting is reported and gets its default.
  package init(reading node: ConfigNode?, _ context: ReadingContext) {
    guard let node, let reader = context.reader(node).mapping(of: Self.keys) else { return }
    if let section = reader.section("socket", of: SocketSettings.keys) { socket = SocketSettings(reading: section) }
    if let section = reader.section("access", of: ServerAccess.keys) { access = ServerAccess(reading: section) }
    if let section = reader.section("limits", of: Limits.keys) { limits = Limits(reading: section) }
    if let section = reader.section("log", of: LogSettings.keys) { log = LogSettings(reading: section) }
    dbus = reader.section("dbus", of: BusSettings.keys).map(BusSettings.init)
    state = reader.optional("state")?.path()
    location = reader.section("location", of: GeographicLocation.keys).flatMap(GeographicLocation.init)
    if let section = reader.optional("connections"), !section.isAbsent {
      connections = PeerConnection.all(reading: section)
    }
    bridge = reader.optional("bridge")?.choice()
    cluster = reader.section("cluster", of: ClusterSettings.keys).flatMap { ClusterSettings(reading: $0, connections) }
  }
}
