import CSystemd

/// A callback registered with a connection, for a reply or an object.
///
/// It is not called after this object is released.
package final class BusSlot {
  fileprivate var pointer: OpaquePointer?
  private let handler: (borrowing BusMessage) -> Void

  init(_ handler: @escaping (borrowing BusMessage) -> Void) { self.handler = handler }

  deinit { sd_bus_slot_unref(pointer) }

  /// Registers a slot with this object as its data.
  func take(_ call: String, _ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32) throws(Errno) {
    try checked(make(&pointer, Unmanaged.passUnretained(self).toOpaque()), call)
  }

  // The local reference keeps the slot alive if its handler releases it.

  /// The callback for sd-bus that permits further handlers.
  static let fire: sd_bus_message_handler_t = { message, data, _ in
    guard let message, let data else { return 0 }
    let slot = Unmanaged<BusSlot>.fromOpaque(data).takeUnretainedValue()
    slot.handler(BusMessage(message))
    return 0
  }

  /// The callback for method calls of an object; no further handlers are called.
  static let fireLast: sd_bus_message_handler_t = { message, data, error in
    _ = fire(message, data, error)
    return 1
  }
}
