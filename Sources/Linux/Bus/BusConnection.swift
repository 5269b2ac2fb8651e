import CSystemd
import Glibc

/// A connection to a message bus, by sd-bus, which never waits for anything.
///
/// Its socket hangs on a poller. When that is ready, or its deadline has come, somebody has it `process` messages, as
/// many as they have time for, and then `arm`, which is also due after anything else was done with it. sd-bus
/// could be a source of sd-event's instead; that would take a turn of the loop for each message, and those of a busy bus
/// could not be served in pieces between clients.
///
/// It writes what is sent at once as far as the socket takes it, and reads a message only when it is asked to handle
/// one: what comes faster waits at the bus, which has bounds for it.
package final class BusConnection {
  /// How many messages may wait to be written before nothing more is taken.
  package static let mostUnwritten: UInt64 = 4096
  /// How many bytes of values may wait to be written before little should be added.
  private static let muchUnwritten = 1 << 20

  let bus: OpaquePointer
  private let poller: Poller
  private let target: Target
  /// The bytes of values that were sent since nothing waited to be written.
  private var sentBytes = 0
  private var watched: (key: Poller.Key, descriptor: Int32, interest: Readiness)?

  private final class Target: PollTarget {
    let handler: () -> Void

    init(_ handler: @escaping () -> Void) { self.handler = handler }

    func ready(_ readiness: Readiness) { handler() }
  }

  /// Begins to connect.
  ///
  /// - Parameter ready: Called when there is something to process.
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

  /// Closes it at once; what was not written is lost.
  package func close() {
    unwatch()
    sd_bus_close(bus)
  }

  private func unwatch() {
    guard let watched else { return }
    self.watched = nil
    try? poller.remove(watched.key, watched.descriptor)
  }

  /// Whether the bus has taken it in.
  package var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// The name that the bus has given it, such as `:1.42`.
  package var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    return isReady && sd_bus_get_unique_name(bus, &name) >= 0 ? name.map { String(cString: $0) } : nil
  }

  /// Writes what waits to be written, and handles a message if there is one.
  ///
  /// - Returns: Whether there may be more to do at once.
  /// - Throws: What has ended the connection.
  package func process() throws(Errno) -> Bool {
    let hasDone = try checked(sd_bus_process(bus, nil), "sd_bus_process") > 0
    if sd_bus_is_open(bus) <= 0 { throw Errno(ECONNRESET, call: "sd_bus_process") }
    return hasDone
  }

  /// When it has something to process though nothing comes: an answer that is overdue.
  package var deadline: MonotonicInstant? {
    var time: UInt64 = 0
    guard sd_bus_get_timeout(bus, &time) >= 0, time != .max else { return nil }
    return MonotonicInstant(nanoseconds: Int64(clamping: time.multipliedReportingOverflow(by: 1000).partialValue))
  }

  /// Watches the socket for what it waits for now.
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
  ///   - timeout: How long the answer may take.
  ///   - handler: Told the answer, or that there is none in time.
  /// - Throws: `ENOBUFS` where the bus takes in nothing.
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

  /// Sends a message to which nobody waits for an answer.
  package func send(_ message: borrowing OutgoingBusMessage) throws(Errno) {
    try checkRoom()
    if sd_bus_message_get_expect_reply(message.pointer) > 0 { sd_bus_message_set_expect_reply(message.pointer, 0) }
    try checked(sd_bus_send(bus, message.pointer, nil), "sd_bus_send")
    sentBytes += message.byteCount
  }

  /// Has the bus send what matches a rule, until what is returned is let go of.
  ///
  /// - Parameter receiver: Told each message; it is not kept alive.
  package func match(_ rule: MatchRule, for receiver: any BusMatchReceiver) throws(Errno) -> BusMatch {
    try checkRoom()
    let match = BusMatch(receiver)
    try match.take(bus, rule)
    return match
  }

  /// Whether so much waits to be written that little should be added.
  package var isBackedUp: Bool {
    let count = unwrittenCount
    if count == 0 { sentBytes = 0 }
    return count >= Self.mostUnwritten / 4 || sentBytes >= Self.muchUnwritten
  }

  /// Whether anything waits to be written.
  package var hasUnwritten: Bool { unwrittenCount > 0 }

  private var unwrittenCount: UInt64 {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) >= 0 ? count : 0
  }

  private func checkRoom() throws(Errno) {
    if unwrittenCount >= Self.mostUnwritten { throw Errno(ENOBUFS, call: "sd_bus_send") }
  }
}
