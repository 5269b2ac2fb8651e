import Daemon
import Linux
import WireProtocol

/// The clients that wait at a socket of the service manager while the daemon does not start.
///
/// Left there, they would have the daemon started again as soon as it has ended, until systemd reaches its limit and
/// closes the socket for good (`systemd.socket(5)`). So they get an error and are disconnected.
enum WaitingClients {
  /// The time during which further clients are refused: the unit allows 20 starts in 30 seconds, systemd alone 5 in 10.
  private static let patience = Duration.seconds(3)

  /// Refuses each waiting client, if there is such a socket.
  static func turnAway(_ inheritance: Inheritance) {
    guard !inheritance.hasUnexpectedDescriptors, let descriptor = inheritance.takeListener(),
      let socket = try? UnixListener(inherited: descriptor)
    else { return }
    do throws(Errno) { try turnAway(from: socket) } catch {}
  }

  private static func turnAway(from socket: borrowing UnixListener) throws(Errno) {
    guard let first = try socket.accept() else { return }
    report(first)
    let end = MonotonicInstant.now() + patience
    while case let rest = end - MonotonicInstant.now(), rest > .zero {
      while MonotonicInstant.now() < end, let client = try socket.accept() { report(client) }
      _ = try socket.descriptor.transfer.wait(for: .readable, timeout: rest)
    }
  }

  private static func report(_ client: consuming OwnedDescriptor) {
    let error = WireError(.shuttingDown, "the daemon failed to start; see its log")
    var line: [UInt8] = []
    Refusal(error).append(to: &line)
    _ = try? line.withUnsafeBytes { bytes throws(Errno) in try client.transfer.send(bytes) }
    // A client may write its line without checking for an answer first; unread input would turn the close into a reset.
    _ = try? client.transfer.wait(for: .readable, timeout: .milliseconds(100))
    _ = try? client.transfer.read(upTo: 65_536)
  }
}
