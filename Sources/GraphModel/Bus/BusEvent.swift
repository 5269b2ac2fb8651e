package import JSON

/// An event of watched properties or of a signal on a bus.
package enum BusEvent: Equatable, Sendable {
  /// Values of properties by name: first those of all watched ones that exist, then those that have changed.
  ///
  /// They arrive in the order of the bus: once nothing is pending, the last value is the one that `Get` returns.
  case properties([String: JSONValue])
  /// The arguments of one emission of a signal, in order.
  case arguments([JSONValue])
  /// The service's name has no owner, or the bus is unreachable; reported at once if so at the start.
  case gone
  /// A received value has no JSON form, is too large, or was refused by the service; watching continues.
  case refused(SignalFailure)
}
