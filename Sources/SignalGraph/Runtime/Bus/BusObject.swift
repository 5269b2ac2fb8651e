/// A message bus, as a declaration names it.
package enum BusChoice: Hashable, Sendable {
  case system, session
  /// One at an address of D-Bus, such as `unix:path=/run/other/bus`.
  case address(String)
}

/// An object that a service has on a bus.
package struct BusObject: Hashable, Sendable {
  package let bus: BusChoice
  /// The name under which the service is known, `org.freedesktop.UPower`.
  package let name: String
  /// Its path, `/org/freedesktop/UPower`.
  package let path: String

  package init(bus: BusChoice, name: String, path: String) {
    self.bus = bus
    self.name = name
    self.path = path
  }
}

/// How bytes become JSON.
package enum BusBytes: String, Hashable, Sendable, CaseIterable {
  /// A list of numbers.
  case numbers
  /// A string.
  case text
}
