import CSystemd
import Glibc

/// Connected Unix sockets: their creation and socket-specific calls.
package enum UnixSocket {
  /// Connects to a listening socket (`connect(2)`).
  /// - Parameter blocking: True to wait while the listener's queue is full, and in later calls.
  package static func connect(
    path: String, type: Int32 = streamType, blocking: Bool = true
  ) throws(Errno) -> OwnedDescriptor {
    let address = try UnixAddress(path: path)
    let socket = try make(type)
    if !blocking { try socket.setBlocking(false) }
    let number = socket.number
    let result = address.withSocketAddress { pointer, length in
      retryingInterrupts { Glibc.connect(number, pointer, length) }
    }
    if result == -1 { throw .last("connect", path) }
    return socket
  }

  /// Creates two connected sockets (`socketpair(2)`), for tests and child processes.
  package static func pair() throws(Errno) -> SocketPair {
    var numbers: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &numbers) {
      socketpair(
        AF_UNIX, streamType | Int32(SOCK_CLOEXEC.rawValue), 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    if result == -1 { throw .last("socketpair") }
    return SocketPair(OwnedDescriptor(owning: numbers.0), OwnedDescriptor(owning: numbers.1))
  }

  /// Shuts down the writing side (`shutdown(2)` with `SHUT_WR`).
  package static func shutDownWriting(_ socket: borrowing OwnedDescriptor) throws(Errno) {
    if shutdown(socket.number, Int32(SHUT_WR)) == -1 { throw .last("shutdown") }
  }

  package static let streamType = Int32(SOCK_STREAM.rawValue)
  static let datagramType = Int32(SOCK_DGRAM.rawValue)

  /// Creates a socket that child processes do not inherit.
  static func make(_ type: Int32 = streamType) throws(Errno) -> OwnedDescriptor {
    let number = socket(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    if number == -1 { throw .last("socket") }
    return OwnedDescriptor(owning: number)
  }
}

/// Both ends of a connection.
package struct SocketPair: ~Copyable {
  package let first: OwnedDescriptor
  package let second: OwnedDescriptor

  init(_ first: consuming OwnedDescriptor, _ second: consuming OwnedDescriptor) {
    self.first = first
    self.second = second
  }

  /// Consumes the pair and transfers ownership of both descriptors.
  package consuming func take() -> (Int32, Int32) {
    (first.release(), second.release())
  }
}
