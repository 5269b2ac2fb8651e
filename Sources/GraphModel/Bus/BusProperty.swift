/// A settable property of an object on a bus.
package struct BusProperty: Hashable, Sendable {
  package let object: BusObject
  package let interface: String
  package let name: String
  /// Its D-Bus type; `nil` for the one that the service declares.
  package let signature: String?

  package init(of object: BusObject, interface: String, name: String, signature: String? = nil) {
    self.object = object
    self.interface = interface
    self.name = name
    self.signature = signature
  }
}
