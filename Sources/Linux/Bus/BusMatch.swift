import CSystemd

/// Somebody for whom a bus has a rule.
package protocol BusMatchReceiver: AnyObject {
  /// Told the bus's answer: that it sends what matches from now on, or why it does not.
  func matchAnswered(_ error: BusError?)

  /// Told a message.
  ///
  /// sd-bus does not know who owns a name: where rules for several services differ in nothing else, it is told the
  /// messages of all of these.
  func receive(_ message: borrowing BusMessage)
}

/// A rule at the bus, until this object is gone.
package final class BusMatch {
  private var pointer: OpaquePointer?
  private unowned let receiver: any BusMatchReceiver

  init(_ receiver: any BusMatchReceiver) { self.receiver = receiver }

  deinit { sd_bus_slot_unref(pointer) }

  func take(_ bus: OpaquePointer, _ rule: MatchRule) throws(Errno) {
    let data = Unmanaged.passUnretained(self).toOpaque()
    try checked(
      sd_bus_add_match_async(bus, &pointer, rule.text, Self.fire, Self.fireAnswered, data), "sd_bus_add_match_async")
  }

  // The local references keep alive who lets go of the match within.

  private static let fire: sd_bus_message_handler_t = { message, data, _ in
    guard let message, let data else { return 0 }
    let match = Unmanaged<BusMatch>.fromOpaque(data).takeUnretainedValue()
    let receiver = match.receiver
    receiver.receive(BusMessage(message))
    return 0
  }

  private static let fireAnswered: sd_bus_message_handler_t = { message, data, _ in
    guard let message, let data else { return 0 }
    let match = Unmanaged<BusMatch>.fromOpaque(data).takeUnretainedValue()
    let receiver = match.receiver
    receiver.matchAnswered(BusMessage(message).error)
    return 0
  }
}
