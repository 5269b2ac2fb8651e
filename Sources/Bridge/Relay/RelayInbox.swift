internal import Linux
internal import WireProtocol

/// The frames from the threads of libnats for the program's loop, in order.
///
/// Events for a daemon that does not read are bounded: beyond that, they are lost together with the connection, as they would be
/// at the servers.
final class RelayInbox: Sendable {
  enum Event: Sendable {
    case frame(RelayFrame)
    /// The connection is over.
    case closed
    /// More waited than may: everything before is lost, and the connection is to be given up.
    case overflow
  }

  private let wakeup: WakeupPipe
  private let waiting = Monitor(Waiting())

  private struct Waiting {
    var events: [Event] = []
    var size = 0
  }

  private let mostBytes: Int

  /// - Parameter mostBytes: The most bytes that wait: the longest message, and as much as is under way otherwise.
  init(mostBytes: Int = RelayFrame.longest + 64 << 20) throws(Errno) {
    self.mostBytes = mostBytes
    wakeup = try WakeupPipe()
  }

  var number: Int32 { wakeup.number }

  func put(_ event: Event) {
    let isFirst = waiting.withLock { waiting in
      waiting.size += event.size
      if waiting.size > mostBytes {
        waiting = Waiting(events: [.overflow], size: 0)
      } else {
        waiting.events.append(event)
      }
      return waiting.events.count == 1
    }
    if isFirst { wakeup.signal() }
  }

  func take() -> [Event] {
    wakeup.drain()
    return waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.events
    }
  }
}

extension RelayInbox.Event {
  /// The approximate size in bytes.
  fileprivate var size: Int {
    guard case .frame(.message(_, let message)) = self else { return 100 }
    return 100 + message.subject.utf8.count + message.payload.count
  }
}
