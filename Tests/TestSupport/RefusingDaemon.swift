internal import Foundation
internal import Linux
internal import Synchronization

/// A daemon that refuses each client: it sends a line and closes the connection, often before the client has written.
package final class RefusingDaemon: Sendable {
  package let path: String
  private let isOver = Atomic(false)
  private let listener: UnixListener

  /// - Parameter line: The line, without its end.
  package init(_ line: String) throws {
    path = FileManager.default.temporaryDirectory.path + "/signalbox-\(UUID().uuidString.prefix(8)).sock"
    listener = try UnixListener(path: path, mode: 0o600)
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        _ = try? listener.descriptor.transfer.wait(for: .readable, timeout: .milliseconds(100))
        if let client = try? listener.accept() { try? client.transfer.writeAll(line + "\n") }
      }
      listener.unlink()
    }
  }

  package func stop() { isOver.store(true, ordering: .relaxed) }
}
