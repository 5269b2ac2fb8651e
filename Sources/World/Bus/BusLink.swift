import Base
import GraphModel
package import Linux

/// A ready connection and what its users share: matches, name owners and pending calls.
///
/// Users keep it as long as it is the current one of its host; once the connection has ended, it delivers nothing.
package final class BusLink {
  package let connection: BusConnection
  package unowned let host: BusHost
  /// Reads of properties and other internal calls.
  package let reads: CallWindow
  /// Calls of methods, which may take long.
  let calls: CallWindow
  private let matches: MatchTable
  /// The arguments of match rules for announcements, by interface: one dictionary for all objects of a kind.
  private var interfaces: [String: [Int: ExactText]] = [:]
  private var names: [String: Unowned<ServiceName>] = [:]
  /// The announcement data of services, by name and interface.
  var announcements: [String: Announcements] = [:]

  /// A reference to an object that removes itself when it is released.
  private struct Unowned<Object: AnyObject> { unowned let object: Object }

  init(_ connection: BusConnection, host: BusHost) {
    self.connection = connection
    self.host = host
    matches = MatchTable(connection, host: host)
    // The system bus allows 128 pending calls.
    reads = CallWindow(connection, width: 48)
    calls = CallWindow(connection, width: 64)
  }

  /// Ends all pending calls without answers.
  func end() {
    reads.close()
    calls.close()
  }

  /// Returns a match, which is installed for its first listener and lasts as long as it is retained.
  package func match(_ rule: MatchRule) -> SharedMatch { matches.match(rule, isOfMany: false) }

  /// Returns a match for an object's announcements of an interface.
  func announcementMatch(of object: BusObject, _ interface: String) -> SharedMatch {
    let arguments = interfaces[interface] ?? [0: ExactText(interface)]
    interfaces[interface] = arguments
    return matches.match(
      MatchRule(
        sender: object.name, path: object.path, interface: "org.freedesktop.DBus.Properties",
        member: "PropertiesChanged", arguments: arguments), isOfMany: true)
  }

  /// Returns a service name, whose owner is known as long as it is retained.
  package func name(_ text: String) -> ServiceName {
    if let name = names[text]?.object { return name }
    let name = ServiceName(text, link: self)
    names[text] = Unowned(object: name)
    return name
  }

  func remove(name: String) { names[name] = nil }
}
