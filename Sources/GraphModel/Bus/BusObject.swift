import Base

/// A message bus, as a declaration names it.
package enum BusChoice: Hashable, Sendable {
  case system, session
  /// A bus at a D-Bus address such as `unix:path=/run/other/bus`.
  case address(String)
}

// Addresses that differ in their bytes are those of different buses.
extension BusChoice {
  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.system, .system), (.session, .session): true
    case (.address(let one), .address(let other)): one.hasSameBytes(as: other)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .system: hasher.combine(0)
    case .session: hasher.combine(1)
    case .address(let address): address.hashBytes(into: &hasher)
    }
  }
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
