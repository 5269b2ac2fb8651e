import CSystemd

/// Something that a connection calls for: an answer, an object.
///
/// Nothing is called any more once this object is gone.
package final class BusSlot {
  fileprivate var pointer: OpaquePointer?
  private let handler: (borrowing BusMessage) -> Void

  init(_ handler: @escaping (borrowing BusMessage) -> Void) { self.handler = handler }

  deinit { sd_bus_slot_unref(pointer) }

  /// Asks sd-bus for a slot, whose data is this object.
  func take(_ call: String, _ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32) throws(Errno) {
    try checked(make(&pointer, Unmanaged.passUnretained(self).toOpaque()), call)
  }

  // The local reference keeps a slot alive whose handler lets go of it.

  /// The function that sd-bus calls; others may be called as well.
  static let fire: sd_bus_message_handler_t = { message, data, _ in
    guard let message, let data else { return 0 }
    let slot = Unmanaged<BusSlot>.fromOpaque(data).takeUnretainedValue()
    slot.handler(BusMessage(message))
    return 0
  }

  /// The function for calls of an object's methods, of which nobody else is told.
  static let fireLast: sd_bus_message_handler_t = { message, data, error in
    _ = fire(message, data, error)
    return 1
  }
}
