package import ReactiveCore

/// The client that sent something, as people find it again in what the daemon tells of its clients.
package struct EntrySender: Equatable, Sendable {
  package enum Connection: Equatable, Sendable {
    /// The number of a client of the socket, which `signalbox.clients` tells with each; they count from 1 again when
    /// the daemon is started, but not when it is replaced.
    case socket(Int)
    /// The unique name of a caller on D-Bus, such as `:1.42`.
    case bus(String)
  }

  package let userID: UInt32
  package let connection: Connection

  package init(userID: UInt32, connection: Connection) {
    self.userID = userID
    self.connection = connection
  }
}

extension EntrySender.Connection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .socket(let number): "\(number)"
    case .bus(let name): name
    }
  }
}

extension EntrySender: Storable {
  package func store(in writer: inout StateWriter) {
    writer.number(UInt64(userID))
    switch connection {
    case .socket(let number):
      false.store(in: &writer)
      number.store(in: &writer)
    case .bus(let name):
      true.store(in: &writer)
      name.store(in: &writer)
    }
  }

  package init(from reader: inout StateReader) throws(StateError) {
    guard let userID = UInt32(exactly: try reader.number()) else { throw StateError("no user has such a number") }
    self.userID = userID
    connection = try Bool(from: &reader) ? .bus(try String(from: &reader)) : .socket(try Int(from: &reader))
  }
}
