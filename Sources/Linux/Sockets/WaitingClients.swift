import CSystemd
import Glibc

/// The clients that wait at sockets of the service manager while a program does not start.
///
/// Left there, they would have the program started again as soon as it has ended, until systemd reaches its limit and
/// closes the socket for good (`systemd.socket(5)`). So they get an answer and are disconnected.
package enum WaitingClients {
  /// The time during which further clients are refused: the units allow 20 starts in 30 seconds, systemd alone 5 in 10.
  private static let patience = Duration.seconds(3)

  /// Refuses the waiting clients, and those that come in the next seconds; returns at once if there is none.
  ///
  /// - Parameters:
  ///   - listeners: The listening sockets.
  ///   - report: Tells a client the reason; its connection is closed afterwards.
  package static func turnAway(from listeners: [Int32], _ report: (borrowing OwnedDescriptor) -> Void) {
    for number in listeners { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
    let end = MonotonicInstant.now() + patience
    guard serve(listeners, until: end, report) ?? false else { return }
    while case let rest = end - MonotonicInstant.now(), rest > .zero {
      var entries = listeners.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&entries, nfds_t(entries.count), Int32(clamping: rest.milliseconds))
      if serve(listeners, until: end, report) == nil { return }
    }
  }

  /// Returns whether there was a client; `nil` if no more can be accepted.
  private static func serve(
    _ listeners: [Int32], until end: MonotonicInstant, _ report: (borrowing OwnedDescriptor) -> Void
  ) -> Bool? {
    var hasServed = false
    for listener in listeners {
      while MonotonicInstant.now() < end {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = retryingInterrupts { accept4(listener, nil, nil, flags) }
        if number == -1 && errno == EAGAIN { break }
        if number == -1 && errno == ECONNABORTED { continue }
        if number == -1 { return nil }
        report(OwnedDescriptor(owning: number))
        hasServed = true
      }
    }
    return hasServed
  }

  /// Waits a moment for input of a client, and drops it: unread input would turn the close into a reset.
  ///
  /// - Returns: False once the client sends nothing more.
  @discardableResult
  package static func dropInput(of client: borrowing OwnedDescriptor) -> Bool {
    guard let ready = try? client.transfer.wait(for: .readable, timeout: .milliseconds(100)), !ready.isEmpty,
      let bytes = try? client.transfer.read(upTo: 65_536)
    else { return false }
    return !bytes.isEmpty
  }
}
