import Daemon
import Linux
import WireProtocol

extension WaitingClients {
  /// Refuses each client that waits at the socket of the service manager, if there is one.
  static func turnAway(_ inheritance: Inheritance) {
    guard !inheritance.hasUnexpectedDescriptors, let descriptor = inheritance.takeListener() else { return }
    turnAway(from: [descriptor.release()]) { client in
      let error = WireError(.shuttingDown, "the daemon failed to start; see its log")
      var line: [UInt8] = []
      Refusal(error).append(to: &line)
      try? client.transfer.writeAll(line)
      // A client may write its line without checking for an answer first.
      dropInput(of: client)
    }
  }
}
