import CSystemd
import Glibc

/// The stage of a change to a file.
package enum FileChange: Sendable {
  /// Data was written, and the writer still has the file open.
  case underWay
  /// The file was closed after writing, created, removed or replaced.
  case done
}

/// Reports changes of files by path, existing or not (`inotify(7)`).
///
/// Watches everything that affects the resolution of a path: see `FileTrail`.
package final class FileWatcher {
  private let inotify: OwnedDescriptor
  private var handler: PollHandler?
  /// The file watches that share each inotify watch.
  private var watches: [Int32: [FileWatch]] = [:]

  package init(_ poller: Poller) throws(Errno) {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if number == -1 { throw .last("inotify_init1") }
    inotify = OwnedDescriptor(owning: number)
    handler = try PollHandler(poller, readable: number) { [unowned self] in readEvents() }
  }

  /// Reports possible changes of the file at a path until the returned watch is cancelled.
  ///
  /// - Parameter isPattern: True if the last component matches many files; links on the way to their folder are
  /// followed.
  package func watch(_ path: String, isPattern: Bool = false, _ changed: @escaping FileWatch.Observer) -> FileWatch {
    let watch = FileWatch(path, isPattern: isPattern, self, changed)
    place(watch)
    watch.begin()
    return watch
  }

  // MARK: Watches

  /// The maximum number of lookups while the path changes; later changes are reported as such.
  private static let looks = 8

  /// Watches a path in its current resolution.
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
      // The kernel has removed the watch.
      if event.isGone { watches[event.watch] = nil }
    }
    for watch in affected { notify(watch) }
  }

  private func notify(_ watch: FileWatch) {
    if watch.isCancelled { return }
    if watch.hasMoved { place(watch) }
    watch.notify()
  }
}
