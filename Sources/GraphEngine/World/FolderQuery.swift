package import Signals

/// An event of the files below a watched folder.
package enum FolderEvent: Equatable, Sendable {
  /// Files that existed when watching began.
  case found([FolderFile])
  /// All files that existed have been reported; later ones are new.
  case looked
  case created(FolderFile)
  case changed(FolderFile)
  case removed(path: String)
  /// Events of the kernel were lost; the differences follow.
  case overflow
  /// There are more files than the limit; further ones are not reported.
  case full
  /// A folder that cannot be watched, or a name that cannot be reported.
  case failed(String)
}

/// A file below a watched folder, as the folder shows it.
package struct FolderFile: Equatable, Sendable {
  /// The path below the folder.
  package let path: String
  package let inode: UInt64
  /// In bytes.
  package let size: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  package let modified: Int64

  package init(path: String, inode: UInt64, size: Int64, modified: Int64) {
    (self.path, self.inode, self.size, self.modified) = (path, inode, size, modified)
  }
}

/// The changes of the files below a folder, which may be missing.
package struct FolderQuery: WorldQuery, Equatable {
  /// The files known from an earlier watch, whose differences are delivered; `nil` for none.
  package typealias Start = [FolderFile]?
  package typealias Event = FolderEvent
  package static let name = "folder"

  package let folder: String
  /// A pattern of paths below the folder; `**` stands for any number of folders.
  package let pattern: String
  /// The maximum number of files.
  package let limit: Int
  /// The signal that receives the events.
  package let owner: String

  package init(folder: String, pattern: String, limit: Int, owner: String) {
    (self.folder, self.pattern, self.limit, self.owner) = (folder, pattern, limit, owner)
  }
}

extension FolderFile: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    path = try field(\.path)
    inode = try field(\.inode)
    size = try field(\.size)
    modified = try field(\.modified)
  }
}

extension FolderEvent: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    switch self {
    case .found(let files): writer.kind(0, files)
    case .looked: writer.kind(1)
    case .created(let file): writer.kind(2, file)
    case .changed(let file): writer.kind(3, file)
    case .removed(let path): writer.kind(4, path)
    case .overflow: writer.kind(5)
    case .full: writer.kind(6)
    case .failed(let message): writer.kind(7, message)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .found(try [FolderFile](from: &reader))
    case 1: self = .looked
    case 2: self = .created(try FolderFile(from: &reader))
    case 3: self = .changed(try FolderFile(from: &reader))
    case 4: self = .removed(path: try reader.text())
    case 5: self = .overflow
    case 6: self = .full
    case 7: self = .failed(try reader.text())
    default: throw StateError("an event of a folder of an unknown kind")
    }
  }
}
