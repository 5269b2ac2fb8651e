/// The message bus on which the daemon is a service and signals with `dbus: true` are its objects.
package struct BusSettings: Sendable, Equatable {
  package var bus = BusChoice.system
  /// The name that the daemon owns there.
  package var name = "org.signalbox.Signalbox"

  package init() {}

  static let keys = ["bus", "name"]

  init(reading reader: MappingReader) {
    if let bus = reader.required("bus") { self.bus = Self.bus(bus) ?? self.bus }
    if let name = reader.optional("name") { self.name = Self.name(name) ?? self.name }
  }

  private static func bus(_ reader: Reader) -> BusChoice? {
    guard let text = reader.string() else { return nil }
    switch text {
    case "system": return .system
    case "session": return .session
    default:
      if text.hasPrefix("unix:") { return .address(text) }
      reader.problems.error(
        "expected system, session, or the address of a local bus, such as \"unix:path=/run/other/bus\"",
        at: reader)
      return nil
    }
  }

  private static func name(_ reader: Reader) -> String? {
    guard let name = reader.string() else { return nil }
    if !name.hasPrefix(":"), BusSyntax.busName.accepts(name) { return name }
    reader.problems.error(
      "\"\(name)\" is not a D-Bus service name: words of letters, digits, \"_\" and \"-\" that do not begin with a digit, "
        + "separated by dots, as in org.signalbox.Signalbox",
      at: reader)
    return nil
  }
}
