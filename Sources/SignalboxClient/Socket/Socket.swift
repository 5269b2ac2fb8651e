internal import Glibc

/// The reason for which a socket became unusable.
enum SocketError: Error {
  /// It has ended, or cannot be connected now.
  case ended
  case cancelled
  /// It can never be connected.
  case impossible(String)
}

/// A connection to a Unix socket, which reads only on request.
final class Socket: Sendable {
  private let reading: Int32
  /// A duplicate of the descriptor, so that both directions can be waited for at once.
  private let writing: Int32

  init(path: String) throws(SocketError) {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw .ended }
    do throws(SocketError) { try Self.connect(number, to: path) } catch {
      close(number)
      throw error
    }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      close(number)
      throw .ended
    }
    (reading, writing) = (number, copy)
    Poller.shared.add(reading)
    Poller.shared.add(writing)
  }

  deinit {
    for number in [reading, writing] {
      Poller.shared.remove(number)
      close(number)
    }
  }

  private static func connect(_ number: Int32, to path: String) throws(SocketError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else {
      throw .impossible("socket path of \(bytes.count) bytes is too long; the limit is \(room - 1)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status != 0 { throw .ended }
  }

  /// Shuts down both directions, so that a waiting task gets the end.
  func shutDown() { shutdown(reading, Int32(SHUT_RDWR)) }

  /// Reads the available bytes, at most 64 KiB, once there are any; empty at the end.
  func read() async throws(SocketError) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
        let result = recv(reading, buffer.baseAddress, buffer.count, 0)
        if result < 0 { failure = errno }
        count = max(0, result)
      }
      if failure == 0 { return chunk }
      try await wait(after: failure, on: reading, toWrite: false)
    }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) async throws(SocketError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(writing, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      let failure = count < 0 ? errno : 0
      rest = rest.dropFirst(max(0, count))
      if failure != 0 { try await wait(after: failure, on: writing, toWrite: true) }
    }
  }

  private func wait(after failure: Int32, on number: Int32, toWrite: Bool) async throws(SocketError) {
    guard failure == EAGAIN || failure == EINTR else { throw .ended }
    await Poller.shared.wait(for: number, toWrite: toWrite)
    if Task.isCancelled { throw .cancelled }
  }
}
