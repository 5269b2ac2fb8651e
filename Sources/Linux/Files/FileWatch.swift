import CSystemd
import Glibc

/// A watched path.
package final class FileWatch {
  let path: String
  /// True if the last component matches many files.
  let isPattern: Bool
  private weak var watcher: FileWatcher?
  private let changed: Observer
  /// The last known resolution of the path.
  private(set) var trail = FileTrail()
  private var departures = Departures()
  /// The change since the last report.
  private var change: FileChange?
  /// True if the path may lead to another file.
  private(set) var hasMoved = false
  private(set) var isCancelled = false
  /// For a pattern, the events in the folder since the last query.
  private var touched = TouchedNames()

  /// Called with a change and the paths of files that were renamed away meanwhile.
  package typealias Observer = (_ change: FileChange, _ departures: [String]) -> Void

  init(_ path: String, isPattern: Bool, _ watcher: FileWatcher, _ changed: @escaping Observer) {
    self.path = path
    self.isPattern = isPattern
    self.watcher = watcher
    self.changed = changed
  }

  /// Cancels the watch.
  package func cancel() {
    if isCancelled { return }
    isCancelled = true
    for number in trail.watches { watcher?.remove(self, from: number) }
  }

  /// The reason for possibly missing changes; `nil` if the watch is reliable.
  package var fault: Errno? { trail.fault }

  /// Processes an event of one of its watches; returns false if the event does not concern the path.
  func note(_ event: InotifyEvents.Event) -> Bool {
    if event.isOverflow {
      hasMoved = true
      touched.isStale = true
      change = .done
      return true
    }
    if isPattern, event.watch == trail.end?.watch, event.hasName {
      touched.note(event)
      change = .done
      return true
    }
    if let end = trail.end, event.watch == end.watch { departures.note(event, of: end.name) }
    if event.watch == trail.file {
      if event.mask & UInt32(IN_MODIFY | IN_CLOSE_WRITE) != 0 {
        change = event.mask & UInt32(IN_MODIFY) != 0 ? .underWay : .done
        return true
      }
    } else if event.mask & UInt32(IN_MODIFY) != 0 {
      // Another path uses the watch on the folder's content.
      return false
    } else if event.hasName && !trail.concerns(event) {
      return false
    }
    hasMoved = true
    return true
  }

  /// Adopts a new resolution of the path.
  ///
  /// Watches are unique, while inode numbers are soon reused.
  func adopt(_ trail: FileTrail) {
    hasMoved = false
    if trail.file != self.trail.file || trail.identity != self.trail.identity {
      // An empty file has probably just been created, with content to follow.
      change = trail.isEmpty ? .underWay : .done
    }
    if isPattern, trail != self.trail {
      touched.isStale = true
      change = .done
    }
    self.trail = trail
  }

  /// Returns and clears the events in the folder.
  package func takeTouched() -> TouchedNames {
    defer { touched = TouchedNames() }
    return touched
  }

  /// Discards the initial state, which is not a change.
  func begin() { change = nil }

  func notify() {
    let departed = departures.take().map { "\(trail.end?.folder ?? "")/\($0)" }
    guard let change = change ?? (departed.isEmpty ? nil : .done) else { return }
    self.change = nil
    changed(change, departed)
  }
}
