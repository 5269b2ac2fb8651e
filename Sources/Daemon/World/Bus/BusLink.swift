import Linux
import SignalGraph

/// A connection that is ready, with all that its users share: matches, the owners of names, the calls under way.
///
/// Users keep it as long as it is the one of their host; once it has ended nothing comes of it any more.
final class BusLink {
  let connection: BusConnection
  unowned let host: BusHost
  /// Reading properties and what else is done without being asked.
  let reads: CallWindow
  /// Calls of methods, which may take their time.
  let calls: CallWindow
  private let matches: MatchTable
  /// The arguments of rules for announcements, by interface: one dictionary for all objects of a kind.
  private var interfaces: [String: [Int: String]] = [:]
  private var names: [String: Unowned<ServiceName>] = [:]
  /// What services say of their properties, by name and interface.
  var announcements: [String: Announcements] = [:]

  /// A reference to something that takes itself out when nobody holds it any more.
  private struct Unowned<Object: AnyObject> { unowned let object: Object }

  init(_ connection: BusConnection, host: BusHost) {
    self.connection = connection
    self.host = host
    matches = MatchTable(connection, host: host)
    // The system's bus allows 128 calls under way.
    reads = CallWindow(connection, width: 48)
    calls = CallWindow(connection, width: 64)
  }

  /// Nothing is under way any more.
  func end() {
    reads.close()
    calls.close()
  }

  /// A match, which is installed for its first listener and lasts as long as somebody holds it.
  func match(_ rule: MatchRule) -> SharedMatch { matches.match(rule, isOfMany: false) }

  /// A match for what an object announces of an interface.
  func announcementMatch(of object: BusObject, _ interface: String) -> SharedMatch {
    let arguments = interfaces[interface] ?? [0: interface]
    interfaces[interface] = arguments
    return matches.match(
      MatchRule(
        sender: object.name, path: object.path, interface: "org.freedesktop.DBus.Properties",
        member: "PropertiesChanged", arguments: arguments), isOfMany: true)
  }

  /// A name of a service, whose owner is known as long as somebody holds it.
  func name(_ text: String) -> ServiceName {
    if let name = names[text]?.object { return name }
    let name = ServiceName(text, link: self)
    names[text] = Unowned(object: name)
    return name
  }

  func forget(name: String) { names[name] = nil }
}
