import CSystemd

extension BusConnection {
  /// `SD_BUS_NAME_QUEUE`, without which sd-bus asks the bus to forget the wish.
  private static let queue: UInt64 = 1 << 2

  /// Calls for each call of a method of an object, until what is returned is let go of; every call is to be answered.
  ///
  /// - Parameter isWholeTree: Whether it is also called for the objects below.
  package func serve(
    _ path: String, isWholeTree: Bool = false, _ handler: @escaping (borrowing BusMessage) -> Void
  ) throws(Errno) -> BusSlot {
    let slot = BusSlot(handler)
    try slot.take("sd_bus_add_object") { pointer, data in
      isWholeTree
        ? sd_bus_add_fallback(bus, &pointer, path, BusSlot.fireLast, data)
        : sd_bus_add_object(bus, &pointer, path, BusSlot.fireLast, data)
    }
    return slot
  }

  /// Asks for a name of a service.
  ///
  /// - Parameters:
  ///   - waits: Whether the bus keeps the wish while somebody else owns it, for when it is free.
  ///   - handler: Told the bus's answer, a number: 1 and 4 mean that it is owned now, 2 that the wish is kept.
  package func request(
    _ name: String, waits: Bool = false, _ handler: @escaping (borrowing BusMessage) -> Void
  ) throws(Errno) -> BusSlot {
    let slot = BusSlot(handler)
    try slot.take("sd_bus_request_name_async") { pointer, data in
      sd_bus_request_name_async(bus, &pointer, name, waits ? Self.queue : 0, BusSlot.fire, data)
    }
    return slot
  }

  /// Gives up a name of a service.
  package func release(
    _ name: String, _ handler: @escaping (borrowing BusMessage) -> Void
  ) throws(Errno) -> BusSlot {
    let slot = BusSlot(handler)
    try slot.take("sd_bus_release_name_async") { pointer, data in
      sd_bus_release_name_async(bus, &pointer, name, BusSlot.fire, data)
    }
    return slot
  }
}
