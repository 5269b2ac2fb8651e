import Glibc

@testable import Linux

/// The receiving socket of a system journal.
final class StandInJournal {
  private let socket: OwnedDescriptor

  init(path: String) throws {
    socket = try UnixSocket.make(UnixSocket.datagramType)
    let number = socket.number
    let result = try UnixAddress(path: path).withSocketAddress { Glibc.bind(number, $0, $1) }
    if result == -1 { throw Errno.last("bind", path) }
    try socket.setBlocking(false)
  }

  /// Returns the entries that have arrived.
  func entries() -> [String] {
    var entries: [String] = []
    while let bytes = try? socket.transfer.read(upTo: 65_536), !bytes.isEmpty {
      entries.append(String(decoding: bytes, as: UTF8.self))
    }
    return entries
  }
}
