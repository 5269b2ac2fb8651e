package import ReactiveCore

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
