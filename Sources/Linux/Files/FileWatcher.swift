import CSystemd
import Glibc

/// How far somebody has come who changes a file.
package enum FileChange: Sendable {
  /// Something was written, and whoever writes still has the file open.
  case underWay
  /// The file was closed after writing, or came, went, or was replaced.
  case done
}

/// Tells of changes of files by their paths, whether or not there is a file now (`inotify(7)`).
///
/// A file that is there is watched itself, and its folder for names that come and go; of a folder that is missing, the
/// nearest one above it that is there.
package final class FileWatcher {
  private let inotify: OwnedDescriptor
  private var handler: PollHandler?
  /// What hangs on each of inotify's watches.
  private var watches: [Int32: [FileWatch]] = [:]

  package init(_ poller: Poller) throws(Errno) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if number == -1 { throw .last("inotify_init1") }
    inotify = OwnedDescriptor(owning: number)
    handler = try PollHandler(poller, readable: number) { [unowned self] in readEvents() }
  }

  /// Calls whenever the file at a path may have changed, until what comes back is cancelled.
  ///
  /// - Throws: where the system allows no more watches (`fs.inotify.max_user_watches`).
  package func watch(_ path: String, _ changed: @escaping (FileChange) -> Void) throws(Errno) -> FileWatch {
    let watch = FileWatch(path, self, changed)
    try place(watch)
    return watch
  }

  // MARK: Watches

  /// Has a path watched as things stand now.
  private func place(_ watch: FileWatch) throws(Errno) {
    let before = watch.descriptors
    watch.descriptors = try watch.place(in: inotify.number)
    for descriptor in watch.descriptors where !before.contains(descriptor) {
      watches[descriptor, default: []].append(watch)
    }
    for descriptor in before where !watch.descriptors.contains(descriptor) { remove(watch, from: descriptor) }
  }

  func remove(_ watch: FileWatch, from descriptor: Int32) {
    watches[descriptor]?.removeAll { $0 === watch }
    guard watches[descriptor]?.isEmpty == true else { return }
    watches[descriptor] = nil
    _ = inotify_rm_watch(inotify.number, descriptor)
  }

  // MARK: Events

  private func readEvents() {
    guard let bytes = try? inotify.transfer.read(upTo: 65_536) else { return }
    var affected: [FileWatch] = []
    for event in InotifyEvents(bytes) {
      let concerned = event.isOverflow ? watches.values.flatMap(\.self) : watches[event.watch] ?? []
      for watch in concerned where watch.note(event) && !affected.contains(where: { $0 === watch }) {
        affected.append(watch)
      }
      if event.isGone { forget(event.watch) }
    }
    for watch in affected { tell(watch) }
  }

  /// The kernel has let go of a watch, whose number may be given again.
  private func forget(_ descriptor: Int32) {
    for watch in watches.removeValue(forKey: descriptor) ?? [] { watch.descriptors.removeAll { $0 == descriptor } }
  }

  private func tell(_ watch: FileWatch) {
    if watch.isCancelled { return }
    // Where no more can be watched, what is watched already stays.
    if watch.hasMoved { try? place(watch) }
    watch.tell()
  }
}
