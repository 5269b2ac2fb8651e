package import JSON

/// An event of something on a bus that is watched or listened to.
package enum BusEvent: Equatable, Sendable {
  /// Values of properties, by their names: at first of all that are watched and exist, then of those that have changed.
  ///
  /// They come in the order of the bus: what is told last is what `Get` says once nothing is under way.
  case properties([String: JSONValue])
  /// The arguments of an emission of a signal, in their order.
  case arguments([JSONValue])
  /// Nobody owns the service's name, or the bus is away; told at once where that is so at the start.
  case gone
  /// Something that was told or read makes no value, is too large, or was refused by the service; all goes on.
  case refused(SignalFailure)
}
