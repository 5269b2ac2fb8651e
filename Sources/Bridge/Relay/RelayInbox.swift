internal import Linux
internal import WireProtocol

/// The frames from the threads of libnats for the program's loop, in order.
///
/// It has no bound of its own: what arrives is answers to the daemon's requests, and what the flow control of the servers
/// lets through.
final class RelayInbox: Sendable {
  enum Event: Sendable {
    case frame(RelayFrame)
    /// The connection is over.
    case closed
  }

  private let wakeup: WakeupPipe
  private let events = Monitor<[Event]>([])

  init() throws(Errno) { wakeup = try WakeupPipe() }

  var number: Int32 { wakeup.number }

  func put(_ event: Event) {
    let isFirst = events.withLock { events in
      events.append(event)
      return events.count == 1
    }
    if isFirst { wakeup.signal() }
  }

  func take() -> [Event] {
    wakeup.drain()
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
