internal import Foundation
internal import Linux
internal import Synchronization

/// A scripted daemon, for tests of the client's reaction.
package final class FakeDaemon: Sendable {
  /// The answer to a line of the client: lines to send; `nil` closes the connection, and so does `closing` after others.
  package typealias Script = @Sendable (String) -> [String]?

  /// The end of the connection, in place of a line.
  package static let closing = ""

  package let path: String
  private let script: Script
  private let received = Mutex<[String]>([])
  private let isOver = Atomic(false)

  package init(_ script: @escaping Script) throws {
    path = FileManager.default.temporaryDirectory.path + "/signalbox-\(UUID().uuidString.prefix(8)).sock"
    self.script = script
    let listener = Shared(try UnixListener(path: path, mode: 0o600))
    Thread.detachNewThread { [self] in accept(listener) }
  }

  /// The lines received from clients.
  package var lines: [String] { received.withLock { $0 } }

  package func stop() { isOver.store(true, ordering: .relaxed) }

  private func accept(_ listener: Shared) {
    while !isOver.load(ordering: .relaxed) {
      _ = try? listener.listener.descriptor.transfer.wait(for: .readable, timeout: .milliseconds(100))
      guard let socket = try? listener.listener.accept() else { continue }
      serve(socket)
    }
    listener.listener.unlink()
  }

  private func serve(_ socket: borrowing OwnedDescriptor) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !isOver.load(ordering: .relaxed) {
      guard let ready = try? socket.transfer.wait(for: .readable, timeout: .milliseconds(100)) else { return }
      if ready.isEmpty { continue }
      guard case .bytes(let count)? = try? buffer.withUnsafeMutableBytes({ try socket.transfer.read(into: $0) }) else {
        return
      }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        received.withLock { $0.append(line) }
        guard let answers = script(line) else { return }
        let lines = answers.filter { $0 != Self.closing }
        guard send(Array(lines.map { $0 + "\n" }.joined().utf8), on: socket) else { return }
        if lines.count < answers.count { return }
      }
    }
  }

  /// Sends all bytes, until the client has disconnected.
  private func send(_ bytes: [UInt8], on socket: borrowing OwnedDescriptor) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      _ = try? socket.transfer.wait(for: .writable, timeout: nil)
      switch rest.withUnsafeBytes({ bytes in try? socket.transfer.send(bytes) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: continue
      case nil: return false
      }
    }
    return true
  }

  /// A listening socket shared by threads.
  private final class Shared: Sendable {
    let listener: UnixListener
    init(_ listener: consuming UnixListener) { self.listener = listener }
  }
}
