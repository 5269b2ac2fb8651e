import CSystemd

/// The receiver of a match rule's messages.
package protocol BusMatchReceiver: AnyObject {
  /// Receives the bus's reply: success, or the reason for rejecting the rule.
  func matchAnswered(_ error: BusError?)

  /// Receives a message.
  ///
  /// sd-bus does not know the owners of names: if the rules for several services differ in nothing else, each receiver
  /// gets the messages of all of them.
  func receive(_ message: borrowing BusMessage)
}

/// A match rule, removed from the bus with this object.
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

  // The local references keep both objects alive if the receiver releases the match.

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
