/// A poller on which a loop waits while this object exists.
///
/// sd-event is one descriptor of the poller, not the poller one of sd-event: a turn that only clients have caused is
/// one wait in the kernel, and sd-event is not asked.
package final class PollerAttachment {
  private let poller: Poller
  /// sd-event's.
  private let descriptor: Int32
  private let begin: () -> Void
  private var key: Poller.Key?
  /// Whether something of sd-event's is ready.
  private var isReady = false

  init(_ poller: Poller, _ loop: EventLoop, _ begin: @escaping () -> Void) throws(Errno) {
    self.poller = poller
    descriptor = loop.descriptor
    self.begin = begin
    key = try poller.add(descriptor, Relay(self), for: .readable)
    loop.attachment = self
  }

  deinit {
    if let key { try? poller.remove(key, descriptor) }
  }

  /// The poller keeps its targets, and this one is to go by itself.
  private final class Relay: PollTarget {
    private unowned let attachment: PollerAttachment

    init(_ attachment: PollerAttachment) { self.attachment = attachment }

    func ready(_ readiness: Readiness) { attachment.isReady = true }
  }

  /// Serves the clients that are ready.
  /// - Returns: whether something of sd-event's is ready, too.
  func serve(timeout: Duration?) throws(Errno) -> Bool {
    isReady = false
    try poller.serve(timeout: timeout, begin: begin)
    return isReady
  }
}
