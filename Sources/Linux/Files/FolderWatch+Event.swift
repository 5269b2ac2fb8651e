extension FolderWatch {
  /// A file, by its path below the root.
  package struct File: Equatable, Sendable {
    package let path: String
    package let stamp: FileStamp

    package init(path: String, stamp: FileStamp) { (self.path, self.stamp) = (path, stamp) }
  }

  /// A report of a watch.
  package enum Event: Equatable, Sendable {
    /// Files that existed when watching began.
    case found([File])
    /// All files that existed have been reported.
    case looked
    case created(File)
    case changed(File)
    case removed(path: String)
    /// Events were lost; the differences follow.
    case overflow
    /// There are more files than the limit; further ones are not reported.
    case full
    /// A folder that cannot be watched, or a name that cannot be reported.
    case failed(String)
  }
}
