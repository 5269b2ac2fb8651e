package import Signals

/// The client that sent an entry, identified as in the daemon's reports on clients.
package struct EntrySender: Equatable, Sendable {
  package enum Connection: Equatable, Sendable {
    /// The number of a socket client, as in `signalbox.clients`; numbers restart from 1 with the daemon, but not after
    /// a handover.
    case socket(Int)
    /// The unique name of a D-Bus caller, such as `:1.42`.
    case bus(String)
    /// The number of a socket client that is an adapter: it sends what a peer has asked for.
    case adapter(Int)
    /// A client of another node of the cluster, by the name of that.
    case node(String)
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
    case .adapter(let number): "\(Self.adapter)\(number)"
    case .node(let name): "node \(name)"
    }
  }

  /// The beginning of an adapter's text, which no name on a bus has.
  private static let adapter = "adapter "

  /// Reads the text of a name on a bus or of an adapter.
  fileprivate init(text: String) {
    let number = text.hasPrefix(Self.adapter) ? Int(text.dropFirst(Self.adapter.count)) : nil
    self = number.map { .adapter($0) } ?? .bus(text)
  }
}

extension EntrySender: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    writer.number(UInt64(userID))
    switch connection {
    case .socket(let number):
      false.encode(to: &writer)
      number.encode(to: &writer)
    case .bus, .adapter:
      true.encode(to: &writer)
      connection.description.encode(to: &writer)
    case .node(let name):
      // Only logs in streams have these: the format of folders is as it was.
      writer.byte(Self.nodeMark)
      name.encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    guard let userID = UInt32(exactly: try reader.number()) else { throw StateError("unknown user index") }
    self.userID = userID
    switch try reader.byte() {
    case 0: connection = .socket(try Int(from: &reader))
    case 1: connection = Connection(text: try String(from: &reader))
    case Self.nodeMark: connection = .node(try String(from: &reader))
    default: throw StateError("unknown kind of sender")
    }
  }

  private static let nodeMark: UInt8 = 2
}
