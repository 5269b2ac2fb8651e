import Base

/// A folder of a watched tree, and what is known of its files.
final class WatchedFolder {
  /// A file of the folder.
  struct File {
    var stamp: FileStamp
    /// The number of the last scan that has met it.
    var scan: UInt32
    /// True if it was found when watching began, and never reported as created.
    var isInitial: Bool
  }

  unowned let tree: FolderWatch
  /// The path below the root; empty for the root.
  let path: String
  let place: PathPattern.Place
  var identity: FileIdentity?
  /// The number of its inotify watch.
  var watch: Int32?
  var files: [ExactText: File] = [:]
  var folders: [ExactText: WatchedFolder] = [:]
  /// The number of the last scan that has met it.
  var scan: UInt32 = 0

  init(_ path: String, _ place: PathPattern.Place, in tree: FolderWatch) {
    (self.path, self.place, self.tree) = (path, place, tree)
  }

  /// Returns the path of an entry below the root.
  func path(of name: ExactText) -> String { path.isEmpty ? name.text : "\(path)/\(name.text)" }
}
