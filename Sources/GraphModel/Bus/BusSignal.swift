import Base

/// A signal of an interface, with the filter that the bus applies.
package struct BusSignal: Hashable, Sendable {
  /// Its sender and its path.
  package let object: BusObject
  package let interface: String
  package let member: String
  /// The strings that its arguments must equal, by number from 0 to 63.
  package let arguments: [Int: String]
  package let bytes: BusBytes

  package init(
    of object: BusObject, interface: String, member: String, arguments: [Int: String] = [:],
    bytes: BusBytes = .numbers
  ) {
    self.object = object
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.bytes = bytes
  }
}

// The bus compares arguments by their bytes; the names have ASCII characters alone.
extension BusSignal {
  package static func == (one: Self, other: Self) -> Bool {
    one.object == other.object && one.interface == other.interface && one.member == other.member
      && one.exactArguments == other.exactArguments && one.bytes == other.bytes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(object)
    hasher.combine(member)
    hasher.combine(exactArguments)
  }

  private var exactArguments: [Int: ExactText] { arguments.mapValues(ExactText.init) }
}
