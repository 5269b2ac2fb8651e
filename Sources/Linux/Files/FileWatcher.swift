import CSystemd
import Glibc

/// A step of a change to a file.
package enum FileChange: Sendable {
  /// Something was written, and the writer still has the file open.
  case underWay
  /// The file was closed after writing, or came, went, or was replaced.
  case done
}

/// Tells of changes of files by their paths, whether or not there is a file now (`inotify(7)`).
///
/// Everything that decides which file a path stands for is watched: see `FileTrail`.
package final class FileWatcher {
  private let inotify: OwnedDescriptor
  private var handler: PollHandler?
  /// The file watches that depend on each of inotify's watches.
  private var watches: [Int32: [FileWatch]] = [:]

  package init(_ poller: Poller) throws(Errno) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if number == -1 { throw .last("inotify_init1") }
    inotify = OwnedDescriptor(owning: number)
    handler = try PollHandler(poller, readable: number) { [unowned self] in readEvents() }
  }

  /// Calls whenever the file at a path may have changed, until the returned watch is cancelled.
  ///
  /// - Parameter isPattern: Whether the last part of the path stands for many files; links on the way to their folder
  ///   are followed.
  package func watch(_ path: String, isPattern: Bool = false, _ changed: @escaping FileWatch.Observer) -> FileWatch {
    let watch = FileWatch(path, isPattern: isPattern, self, changed)
    place(watch)
    watch.begin()
    return watch
  }

  // MARK: Watches

  /// The number of fresh looks at a way that changes meanwhile; later changes are reported as changes.
  private static let looks = 8

  /// Has a path watched as things stand now.
  private func place(_ watch: FileWatch) {
    for _ in 0..<Self.looks {
      let before = watch.trail
      let trail = FileTrail(to: watch.path, in: inotify.number, isPattern: watch.isPattern)
      for number in trail.watches where watches[number]?.contains(where: { $0 === watch }) != true {
        watches[number, default: []].append(watch)
      }
      watch.adopt(trail)
      let numbers = trail.watches
      for number in before.watches where !numbers.contains(number) { remove(watch, from: number) }
      if trail == before { return }
    }
  }

  func remove(_ watch: FileWatch, from number: Int32) {
    watches[number]?.removeAll { $0 === watch }
    guard watches[number]?.isEmpty == true else { return }
    watches[number] = nil
    _ = inotify_rm_watch(inotify.number, number)
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
      // The kernel has let go of the watch.
      if event.isGone { watches[event.watch] = nil }
    }
    for watch in affected { tell(watch) }
  }

  private func tell(_ watch: FileWatch) {
    if watch.isCancelled { return }
    if watch.hasMoved { place(watch) }
    watch.tell()
  }
}
