import Glibc
import Linux

/// A NATS server that welcomes clients and ends the first of their connections at once.
final class HastyNATSServer: Sendable {
  let port: UInt16
  /// The number of connections that it has had.
  let connections = Monitor(0)
  private let listener: TCPListener

  /// - Parameter ending: The number of the connections that it ends.
  init(ending: Int) throws {
    listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    try listener.descriptor.setBlocking(true)
    _ = try Thread("nats server") { [self] in
      while true {
        let client = accept(listener.descriptor.number, nil, nil)
        if client == -1 { return }
        let count = connections.withLock { count in
          count += 1
          return count
        }
        _ = try? Thread("nats client") {
          let socket = OwnedDescriptor(owning: client)
          Self.welcome(socket.number, isEnding: count <= ending)
        }
      }
    }
  }

  func close() { shutdown(listener.descriptor.number, Int32(SHUT_RDWR)) }

  /// Answers each ping until the client leaves, or only the first.
  private static func welcome(_ number: Int32, isEnding: Bool) {
    let client = Transfer(number)
    guard (try? client.writeAll("INFO {\"max_payload\":1048576}\r\n")) != nil else { return }
    while let bytes = try? client.read(upTo: 65536), !bytes.isEmpty {
      guard String(decoding: bytes, as: UTF8.self).contains("PING") else { continue }
      guard (try? client.writeAll("PONG\r\n")) != nil, !isEnding else { return }
    }
  }
}
