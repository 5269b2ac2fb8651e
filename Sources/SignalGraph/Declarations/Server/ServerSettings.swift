/// The settings of `server`: the daemon's own behaviour, whatever its graphs do.
package struct ServerSettings: Sendable, Equatable {
  package var socket = SocketSettings()
  package var access = ServerAccess()
  package var limits = Limits()
  package var log = LogSettings()
  /// The bus that signals are put on, if any.
  package var dbus: BusSettings?
  /// The folder with the state of durable graphs; `nil` leaves it to the environment.
  package var state: String?

  package init() {}

  /// Reads a `server` section; a wrong setting is reported, and has its default in the result.
  package init(reading node: ConfigNode?, _ context: ReadingContext) {
    guard let node, let reader = context.reader(node).mapping() else { return }
    if let section = reader.section("socket") { socket = SocketSettings(reading: section) }
    if let section = reader.section("access") { access = ServerAccess(reading: section) }
    if let section = reader.section("limits") { limits = Limits(reading: section) }
    if let section = reader.section("log") { log = LogSettings(reading: section) }
    dbus = reader.section("dbus").map(BusSettings.init)
    state = reader.optional("state")?.path()
    reader.finish()
  }
}
