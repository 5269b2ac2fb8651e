import CSystemd
import Glibc

/// Reports the events in folders (`inotify(7)`), and changes of the mounts, to the watches of their trees.
package final class FolderWatcher {
  private static let events =
    UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
    | UInt32(IN_ONLYDIR | IN_EXCL_UNLINK)

  private let inotify: OwnedDescriptor
  private var handler: PollHandler?
  private var mounts: MountWatcher?
  /// The folders that share each inotify watch: trees may overlap.
  private var folders: [Int32: [WatchedFolder]] = [:]
  private var trees: [ObjectIdentifier: FolderWatch] = [:]

  package init(_ poller: Poller) throws(Errno) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if number == -1 { throw .last("inotify_init1") }
    inotify = OwnedDescriptor(owning: number)
    handler = try PollHandler(poller, readable: number) { [unowned self] in readEvents() }
    // Without /proc, mounts are noticed with the next scan.
    mounts = try? MountWatcher(poller) { [unowned self] in for tree in trees.values { tree.noteMounts() } }
  }

  // MARK: Watches

  func add(_ tree: FolderWatch) { trees[ObjectIdentifier(tree)] = tree }

  func remove(_ tree: FolderWatch) { trees[ObjectIdentifier(tree)] = nil }

  /// Watches a folder; only the root may be a link.
  func watch(_ folder: WatchedFolder, at path: String) throws(Errno) {
    let mask = Self.events | (folder.path.isEmpty ? 0 : UInt32(IN_DONT_FOLLOW))
    let number = inotify_add_watch(inotify.number, path, mask)
    if number == -1 {
      let error = Errno.last("inotify_add_watch", path)
      unwatch(folder)
      throw error
    }
    if folder.watch == number { return }
    unwatch(folder)
    folder.watch = number
    folders[number, default: []].append(folder)
  }

  func unwatch(_ folder: WatchedFolder) {
    guard let number = folder.watch else { return }
    folder.watch = nil
    folders[number]?.removeAll { $0 === folder }
    guard folders[number]?.isEmpty == true else { return }
    folders[number] = nil
    _ = inotify_rm_watch(inotify.number, number)
  }

  // MARK: Events

  private func readEvents() {
    guard let bytes = try? inotify.transfer.read(upTo: 65_536) else { return }
    for event in InotifyEvents(bytes) {
      if event.isOverflow {
        for tree in trees.values { tree.noteOverflow() }
        continue
      }
      guard let concerned = folders[event.watch] else { continue }
      if event.isGone {
        folders[event.watch] = nil
        for folder in concerned { folder.watch = nil }
      }
      for folder in concerned { folder.tree.note(event, in: folder) }
    }
  }
}
