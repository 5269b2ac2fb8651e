package import JSON

/// A method of an object on a bus that can be called.
package struct BusMethod: Hashable, Sendable {
  package let object: BusObject
  package let interface: String
  package let member: String
  /// The types of its arguments, as D-Bus writes them, `sa{sv}`.
  package let signature: String
  /// Whether the service is started where it does not run.
  package let activates: Bool
  package let bytes: BusBytes
  /// The signal or action for which it is called, by its full name.
  package let owner: String

  package init(
    of object: BusObject, interface: String, member: String, signature: String, activates: Bool = false,
    bytes: BusBytes = .numbers, owner: String
  ) {
    self.object = object
    self.interface = interface
    self.member = member
    self.signature = signature
    self.activates = activates
    self.bytes = bytes
    self.owner = owner
  }
}

/// The answer to a call of a method: the values that it returned, or why there are none.
///
/// Failures have the codes `bus` (what the service or the bus says), `gone` (nobody owns the name, or the bus is away)
/// and `bad_value` (the arguments are not those of the signature).
package enum BusAnswer: Sendable {
  case returned([JSONValue])
  case failed(SignalFailure)
}
