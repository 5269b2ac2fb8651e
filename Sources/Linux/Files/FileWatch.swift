import CSystemd
import Glibc

/// One path that a watcher watches.
package final class FileWatch {
  private let path: String
  private unowned let watcher: FileWatcher
  private let changed: (FileChange) -> Void
  /// Inotify's watches that it hangs on.
  var descriptors: [Int32] = []
  /// The watch on the file itself, where there is a file.
  private var file: Int32?
  /// The name that decides, in the folder that is watched.
  private var name = ""
  /// Whether the path is a symbolic link: then any name in its folder may stand for another file.
  private var isLink = false
  /// What has happened since the last time it was told.
  private var change: FileChange?
  /// Whether the path may stand for another file than before.
  private(set) var hasMoved = false
  private(set) var isCancelled = false

  init(_ path: String, _ watcher: FileWatcher, _ changed: @escaping (FileChange) -> Void) {
    self.path = path
    self.watcher = watcher
    self.changed = changed
  }

  /// Tells nothing more.
  package func cancel() {
    if isCancelled { return }
    isCancelled = true
    for descriptor in descriptors { watcher.remove(self, from: descriptor) }
  }

  private static let contentMask = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
  private static let folderMask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Puts inotify's watches where they are needed now.
  func place(in inotify: Int32) throws(Errno) -> [Int32] {
    hasMoved = false
    let folder = try placeOnFolder(inotify)
    var status = stat()
    isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    file = nil
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      let number = inotify_add_watch(inotify, path, Self.contentMask)
      if number == -1, errno != ENOENT { throw .last("inotify_add_watch", path) }
      if number != -1 { file = number }
    }
    return [folder] + (file.map { [$0] } ?? [])
  }

  /// Watches the nearest folder above the path that is there.
  private func placeOnFolder(_ inotify: Int32) throws(Errno) -> Int32 {
    var parts = path.split(separator: "/")
    while let last = parts.popLast() {
      let folder = "/" + parts.joined(separator: "/")
      let number = inotify_add_watch(inotify, folder, Self.folderMask)
      guard number == -1 else {
        name = String(last)
        return number
      }
      if errno != ENOENT && errno != ENOTDIR { throw .last("inotify_add_watch", folder) }
    }
    throw Errno(EINVAL, call: "inotify_add_watch", subject: path)
  }

  /// Takes an event of one of its watches in; `false` where it does not concern the path.
  func note(_ event: InotifyEvents.Event) -> Bool {
    if event.watch == file {
      if event.mask & UInt32(IN_MODIFY) != 0 {
        change = .underWay
        return true
      }
      if event.mask & UInt32(IN_CLOSE_WRITE) == 0 { hasMoved = true }
    } else {
      guard event.name.isEmpty || isLink || event.name == name else { return false }
      hasMoved = true
    }
    change = .done
    return true
  }

  func tell() {
    guard let change else { return }
    self.change = nil
    changed(change)
  }
}
