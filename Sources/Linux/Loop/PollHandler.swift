/// A descriptor of a poller with a closure for its events; it is off as soon as this object is gone.
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

  /// Calls whenever a descriptor is readable or at its end; it must stay open while this object exists.
  package init(_ poller: Poller, readable descriptor: Int32, _ handler: @escaping () -> Void) throws(Errno) {
    self.poller = poller
    self.descriptor = descriptor
    target = Target(handler)
    key = try poller.add(descriptor, target, for: .readable)
  }

  deinit { try? poller.remove(key, descriptor) }
}
