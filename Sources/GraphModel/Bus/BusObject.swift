/// A message bus, as a declaration names it.
package enum BusChoice: Hashable, Sendable {
  case system, session
  /// A bus at a D-Bus address such as `unix:path=/run/other/bus`.
  case address(String)
}

/// An object of a service on a bus.
package struct BusObject: Hashable, Sendable {
  package let bus: BusChoice
  /// The name of the service, such as `org.freedesktop.UPower`.
  package let name: String
  /// The path of the object, such as `/org/freedesktop/UPower`.
  package let path: String

  package init(bus: BusChoice, name: String, path: String) {
    self.bus = bus
    self.name = name
    self.path = path
  }
}

/// The JSON form of bytes.
package enum BusBytes: String, Hashable, Sendable, CaseIterable {
  /// A list of numbers.
  case numbers
  /// A string.
  case text
}
