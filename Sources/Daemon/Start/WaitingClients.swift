import Linux
import WireProtocol

/// The clients that wait at a socket of the service manager while the daemon does not start.
///
/// Left there they would have it started again as soon as it has ended, until systemd has had enough of that and closes
/// the socket for good (`systemd.socket(5)`). So they are told, and go.
package enum WaitingClients {
  /// For how long clients that come meanwhile are told: the unit allows 20 starts in 30 seconds, systemd alone 5 in 10.
  private static let patience = Duration.seconds(3)

  /// Tells each that the daemon does not start, if there is such a socket and somebody waits at it.
  package static func turnAway(_ inheritance: Inheritance) {
    guard !inheritance.hasStrangers, let descriptor = inheritance.takeListener(),
      let socket = try? UnixListener(inherited: descriptor)
    else { return }
    do throws(Errno) { try turnAway(from: socket) } catch {}
  }

  private static func turnAway(from socket: borrowing UnixListener) throws(Errno) {
    guard let first = try socket.accept() else { return }
    tell(first)
    let end = MonotonicInstant.now() + patience
    while case let rest = end - MonotonicInstant.now(), rest > .zero {
      while MonotonicInstant.now() < end, let client = try socket.accept() { tell(client) }
      _ = try socket.descriptor.transfer.wait(for: .readable, timeout: rest)
    }
  }

  private static func tell(_ client: consuming OwnedDescriptor) {
    let error = WireError(.shuttingDown, "the daemon does not start; its log says why")
    var line: [UInt8] = []
    Refusal(error).append(to: &line)
    _ = try? line.withUnsafeBytes { bytes throws(Errno) in try client.transfer.send(bytes) }
    // A client whose line finds nobody may not look for an answer; and input left unread would make the close a reset.
    _ = try? client.transfer.wait(for: .readable, timeout: .milliseconds(100))
    _ = try? client.transfer.read(upTo: 65_536)
  }
}
