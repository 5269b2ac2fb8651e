import CSystemd
import Glibc

/// A non-blocking connection to a message bus, by sd-bus.
///
/// Its socket is registered with a poller. When that is ready or the deadline has come, the owner calls `process` for
/// as many messages as it has time for, and then `arm`, which is also required after any other operation. As a source
/// of sd-event, it would take an iteration of the loop for each message, and a busy bus could not be served in slices
/// between clients.
///
/// It writes messages at once as far as the socket accepts them, and reads one only when asked to process it: faster
/// input waits at the bus, which limits it.
package final class BusConnection {
  /// The maximum number of unwritten messages; beyond it, messages are refused.
  package static let mostUnwritten: UInt64 = 4096
  /// The size of unwritten values, in bytes, that signals backpressure.
  private static let muchUnwritten = 1 << 20

  let bus: OpaquePointer
  private let poller: Poller
  private let target: Target
  /// The size of the values sent since the queue was last empty.
  private var sentBytes = 0
  private var watched: (key: Poller.Key, descriptor: Int32, interest: Readiness)?

  private final class Target: PollTarget {
    let handler: () -> Void

    init(_ handler: @escaping () -> Void) { self.handler = handler }

    func ready(_ readiness: Readiness) { handler() }
  }

  /// Starts connecting.
  ///
  /// - Parameter ready: Called when `process` has work to do.
  package init(to address: BusAddress, poller: Poller, _ ready: @escaping () -> Void) throws(Errno) {
    bus = try Self.start(address)
    self.poller = poller
    target = Target(ready)
    try arm()
  }

  private static func start(_ address: BusAddress) throws(Errno) -> OpaquePointer {
    var created: OpaquePointer?
    let result = sd_bus_new(&created)
    guard result >= 0, let bus = created else { throw Errno(-result, call: "sd_bus_new") }
    do throws(Errno) {
      try checked(sd_bus_set_address(bus, address.description), "sd_bus_set_address")
      try checked(sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
      let started = sd_bus_start(bus)
      if started < 0 { throw Errno(-started, call: "connect", subject: address.description) }
    } catch {
      sd_bus_close_unref(bus)
      throw error
    }
    return bus
  }

  deinit {
    unwatch()
    sd_bus_close_unref(bus)
  }

  /// Closes the connection at once; unwritten messages are lost.
  package func close() {
    unwatch()
    sd_bus_close(bus)
  }

  private func unwatch() {
    guard let watched else { return }
    self.watched = nil
    try? poller.remove(watched.key, watched.descriptor)
  }

  /// True once the bus has accepted the connection.
  package var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// The unique name assigned by the bus, such as `:1.42`.
  package var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    return isReady && sd_bus_get_unique_name(bus, &name) >= 0 ? name.map { String(cString: $0) } : nil
  }

  /// Writes pending messages and handles an incoming one, if any.
  ///
  /// - Returns: True if there may be more to do at once.
  /// - Throws: The error that closed the connection.
  package func process() throws(Errno) -> Bool {
    let hasDone = try checked(sd_bus_process(bus, nil), "sd_bus_process") > 0
    if sd_bus_is_open(bus) <= 0 { throw Errno(ECONNRESET, call: "sd_bus_process") }
    return hasDone
  }

  /// The next time to call `process` without input: the timeout of a reply.
  package var deadline: MonotonicInstant? {
    var time: UInt64 = 0
    guard sd_bus_get_timeout(bus, &time) >= 0, time != .max else { return nil }
    return MonotonicInstant(nanoseconds: Int64(clamping: time.multipliedReportingOverflow(by: 1000).partialValue))
  }

  /// Updates the poller with the events that the socket waits for.
  package func arm() throws(Errno) {
    let descriptor = try checked(sd_bus_get_fd(bus), "sd_bus_get_fd")
    let events = try checked(sd_bus_get_events(bus), "sd_bus_get_events")
    let interest = Readiness(rawValue: UInt32(events))
    if let watched, watched.descriptor == descriptor {
      if watched.interest == interest { return }
      try poller.change(watched.key, descriptor, for: interest)
      self.watched = (watched.key, descriptor, interest)
    } else {
      unwatch()
      watched = (try poller.add(descriptor, target, for: interest), descriptor, interest)
    }
  }

  // MARK: Sending

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for the reply.
  ///   - handler: Called with the reply or a timeout error.
  /// - Throws: `ENOBUFS` while too many messages are unwritten.
  package func call(
    _ message: borrowing OutgoingBusMessage, timeout: Duration,
    _ handler: @escaping (borrowing BusMessage) -> Void
  ) throws(Errno) -> BusSlot {
    try checkRoom()
    let slot = BusSlot(handler)
    let limit = UInt64(clamping: timeout.nanoseconds / 1000)
    try slot.take("sd_bus_call_async") { pointer, data in
      sd_bus_call_async(bus, &pointer, message.pointer, BusSlot.fire, data, limit)
    }
    sentBytes += message.byteCount
    return slot
  }

  /// Sends a message without expecting a reply.
  package func send(_ message: borrowing OutgoingBusMessage) throws(Errno) {
    try checkRoom()
    if sd_bus_message_get_expect_reply(message.pointer) > 0 { sd_bus_message_set_expect_reply(message.pointer, 0) }
    try checked(sd_bus_send(bus, message.pointer, nil), "sd_bus_send")
    sentBytes += message.byteCount
  }

  /// Subscribes to the messages that match a rule, until the returned match is released.
  ///
  /// - Parameter receiver: Receives each message; it is not retained.
  package func match(_ rule: MatchRule, for receiver: any BusMatchReceiver) throws(Errno) -> BusMatch {
    try checkRoom()
    let match = BusMatch(receiver)
    try match.take(bus, rule)
    return match
  }

  /// True while so much is unwritten that senders should pause.
  package var isBackedUp: Bool {
    let count = unwrittenCount
    if count == 0 { sentBytes = 0 }
    return count >= Self.mostUnwritten / 4 || sentBytes >= Self.muchUnwritten
  }

  /// True while messages are unwritten.
  package var hasUnwritten: Bool { unwrittenCount > 0 }

  private var unwrittenCount: UInt64 {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) >= 0 ? count : 0
  }

  private func checkRoom() throws(Errno) {
    if unwrittenCount >= Self.mostUnwritten { throw Errno(ENOBUFS, call: "sd_bus_send") }
  }
}
