package import Base

/// A signal of an interface, with the filter that the bus applies.
package struct BusSignal: Hashable, Sendable {
  /// Its sender and its path.
  package let object: BusObject
  package let interface: String
  package let member: String
  /// The strings that its arguments must equal, by number from 0 to 63; the bus compares them by their bytes.
  package let arguments: [Int: ExactText]
  package let bytes: BusBytes

  package init(
    of object: BusObject, interface: String, member: String, arguments: [Int: String] = [:],
    bytes: BusBytes = .numbers
  ) {
    self.object = object
    self.interface = interface
    self.member = member
    self.arguments = arguments.mapValues(ExactText.init)
    self.bytes = bytes
  }
}
