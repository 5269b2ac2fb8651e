package import JSON

/// A method of an object on a bus.
package struct BusMethod: Hashable, Sendable {
  package let object: BusObject
  package let interface: String
  package let member: String
  /// The types of its arguments as a D-Bus signature, such as `sa{sv}`.
  package let signature: String
  /// True if the service is started when it does not run.
  package let activates: Bool
  package let bytes: BusBytes
  /// The full name of the signal or action that it is called for.
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

/// The answer to a method call: the returned values, or a failure.
///
/// Failures have the codes `bus` (an error from the service or the bus), `gone` (the name has no owner, or the bus is
/// unreachable) and `bad_value` (the arguments do not match the signature).
package enum BusAnswer: Sendable {
  case returned([JSONValue])
  case failed(SignalFailure)
}
