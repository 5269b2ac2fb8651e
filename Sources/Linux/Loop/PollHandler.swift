/// A descriptor registered with a poller and a handler for its events; removed with this object.
package final class PollHandler {
  private let poller: Poller
  private let descriptor: Int32
  private let target: Target
  private let key: Poller.Key

  private final class Target: PollTarget {
    let handler: () -> Void

    init(_ handler: @escaping () -> Void) { self.handler = handler }

    func ready(_ readiness: Readiness) { handler() }
  }

  /// Calls the handler while a descriptor is readable or at its end; it must stay open as long as this object exists.
  package convenience init(
    _ poller: Poller, readable descriptor: Int32, _ handler: @escaping () -> Void
  ) throws(Errno) {
    try self.init(poller, descriptor, for: .readable, handler)
  }

  /// Calls the handler while a descriptor takes bytes or has no reader; it must stay open as long as this object exists.
  package convenience init(
    _ poller: Poller, writable descriptor: Int32, _ handler: @escaping () -> Void
  ) throws(Errno) {
    try self.init(poller, descriptor, for: .writable, handler)
  }

  private init(
    _ poller: Poller, _ descriptor: Int32, for interest: Readiness, _ handler: @escaping () -> Void
  ) throws(Errno) {
    self.poller = poller
    self.descriptor = descriptor
    target = Target(handler)
    key = try poller.add(descriptor, target, for: interest)
  }

  deinit { try? poller.remove(key, descriptor) }
}
