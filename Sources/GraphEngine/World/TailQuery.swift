package import Signals

/// An event of a followed file.
package enum TailEvent: Equatable, Sendable {
  /// Appended bytes, cut anywhere.
  case appended([UInt8])
  /// Another file has taken its place; nothing more is appended to the old one.
  case rotated
  /// It was truncated: the following bytes begin a new line.
  case truncated
  /// The events so far reach up to this place.
  case reached(TailPlace)
}

/// The bytes appended to a file, which may be missing.
package struct TailQuery: WorldQuery {
  package typealias Start = TailStart
  package typealias Event = TailEvent
  package static let name = "tail"

  package let path: String
  /// The signal that receives the events.
  package let owner: String

  package init(path: String, owner: String) { (self.path, self.owner) = (path, owner) }
}

extension TailEvent: StateCodable {
  // The numbers are those of the log, where they stand among other events.
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .appended(let bytes): writer.kind(2, bytes)
    case .rotated: writer.kind(3)
    case .truncated: writer.kind(4)
    case .reached(let place): writer.kind(9, place)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 2: self = .appended(try [UInt8](from: &reader))
    case 3: self = .rotated
    case 4: self = .truncated
    case 9: self = .reached(try TailPlace(from: &reader))
    default: throw StateError("an event of a followed file of an unknown kind")
    }
  }
}
