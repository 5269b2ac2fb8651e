import CSystemd

extension BusConnection {
  /// `SD_BUS_NAME_QUEUE`; without it, sd-bus requests not to be queued.
  private static let queue: UInt64 = 1 << 2

  /// Handles the method calls of an object until the returned slot is released; each call requires a reply.
  ///
  /// - Parameter isWholeTree: True to handle calls of the objects below as well.
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

  /// Requests a service name.
  ///
  /// - Parameters:
  ///   - waits: True to queue the request while another connection owns the name.
  ///   - handler: Called with the bus's reply, a number: 1 and 4 mean that the name is owned now, 2 that the request
  ///     is queued.
  package func request(
    _ name: String, waits: Bool = false, _ handler: @escaping (borrowing BusMessage) -> Void
  ) throws(Errno) -> BusSlot {
    let slot = BusSlot(handler)
    try slot.take("sd_bus_request_name_async") { pointer, data in
      sd_bus_request_name_async(bus, &pointer, name, waits ? Self.queue : 0, BusSlot.fire, data)
    }
    return slot
  }

  /// Releases a service name.
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
