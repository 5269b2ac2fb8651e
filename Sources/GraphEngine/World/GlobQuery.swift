package import Signals

/// An event of the files that match a pattern.
package enum GlobEvent: Equatable, Sendable {
  /// All existing files have been reported; later ones are new.
  case looked
  /// A file is followed from this place on.
  case began(TailPlace, path: String)
  /// An event of the file with these numbers.
  case tail(TailEvent, of: FileNumbers)
  /// A file has no more events.
  case ended(FileNumbers)
}

/// The numbers that identify a file to the system, independent of its name.
package struct FileNumbers: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ place: TailPlace) { self.init(device: place.device, inode: place.inode) }
}

/// The starting point for reading the files that match a pattern.
package enum GlobStart: Equatable, Sendable {
  /// The ends of existing files.
  case end
  /// The beginnings of existing files.
  case beginning
  /// The places reached before; other files are new.
  case places([KnownFile])

  package struct KnownFile: Equatable, Sendable {
    package let path: String
    package let place: TailPlace

    package init(path: String, place: TailPlace) {
      self.path = path
      self.place = place
    }
  }
}

extension FileNumbers: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    device = try field(\.device)
    inode = try field(\.inode)
  }
}

/// The bytes appended to all files whose names match a pattern, later ones included.
package struct GlobQuery: WorldQuery {
  package typealias Start = GlobStart
  package typealias Event = GlobEvent
  package static let name = "glob"

  /// A path whose last part is a shell pattern.
  package let pattern: String
  /// The signal that receives the events.
  package let owner: String

  package init(pattern: String, owner: String) { (self.pattern, self.owner) = (pattern, owner) }
}

extension GlobEvent: StateCodable {
  // The numbers are those of the log, where they stand among other events.
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .looked: writer.kind(21)
    case .began(let place, let path): writer.kind(22, place, path)
    case .tail(let event, let numbers): writer.kind(23, numbers, event)
    case .ended(let numbers): writer.kind(24, numbers)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 21: self = .looked
    case 22: self = .began(try TailPlace(from: &reader), path: try reader.text())
    case 23:
      let numbers = try FileNumbers(from: &reader)
      self = .tail(try TailEvent(from: &reader), of: numbers)
    case 24: self = .ended(try FileNumbers(from: &reader))
    default: throw StateError("an event of followed files of an unknown kind")
    }
  }
}
