/// The attachment of a poller to a loop, in effect while this object exists.
///
/// sd-event is one descriptor of the poller rather than the reverse: an iteration caused only by clients takes a single
/// wait in the kernel, without involving sd-event.
package final class PollerAttachment {
  private let poller: Poller
  /// The descriptor of sd-event.
  private let descriptor: Int32
  private let begin: () -> Void
  private var key: Poller.Key?
  /// True if a source of sd-event is ready.
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

  /// The poller retains its targets, but must not retain the attachment.
  private final class Relay: PollTarget {
    private unowned let attachment: PollerAttachment

    init(_ attachment: PollerAttachment) { self.attachment = attachment }

    func ready(_ readiness: Readiness) { attachment.isReady = true }
  }

  /// Serves ready clients.
  /// - Returns: True if a source of sd-event is ready, too.
  func serve(timeout: Duration?) throws(Errno) -> Bool {
    isReady = false
    try poller.serve(timeout: timeout, begin: begin)
    return isReady
  }
}
