/// A property of an object on a bus that can be set.
package struct BusProperty: Hashable, Sendable {
  package let object: BusObject
  package let interface: String
  package let name: String
  /// Its type, as D-Bus writes it; `nil` for the one that the service tells.
  package let signature: String?

  package init(of object: BusObject, interface: String, name: String, signature: String? = nil) {
    self.object = object
    self.interface = interface
    self.name = name
    self.signature = signature
  }
}
