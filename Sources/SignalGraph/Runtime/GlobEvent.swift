package import ReactiveCore

/// An event of the files that match a pattern.
package enum GlobEvent: Equatable, Sendable {
  /// All files that were there have been told; those that come from now on are new.
  case looked
  /// A file is followed, from this place on.
  case began(TailPlace, path: String)
  /// An event of the file that this place is in.
  case tail(TailEvent, of: FileNumbers)
  /// Nothing more comes of a file.
  case ended(FileNumbers)
}

/// The numbers by which the system knows a file, whatever it is called now.
package struct FileNumbers: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ place: TailPlace) { self.init(device: place.device, inode: place.inode) }
}

/// Where to begin to read the files that match a pattern.
package enum GlobStart: Equatable, Sendable {
  /// At the ends of those that are there.
  case end
  /// At their beginnings.
  case beginning
  /// Where they were read up to before; others are new.
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

extension FileNumbers: Storable {
  package func store(in writer: inout StateWriter) {
    writer.number(device)
    writer.number(inode)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(device: try reader.number(), inode: try reader.number())
  }
}
