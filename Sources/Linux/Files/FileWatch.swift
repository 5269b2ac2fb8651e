import CSystemd
import Glibc

/// One path that a watcher watches.
package final class FileWatch {
  let path: String
  /// Whether the last part of the path stands for many files.
  let isPattern: Bool
  private unowned let watcher: FileWatcher
  private let changed: Observer
  /// The way to the file, as it was when it was last looked at.
  private(set) var trail = FileTrail()
  private var departures = Departures()
  /// The change since the last report.
  private var change: FileChange?
  /// Whether the path may stand for another file than before.
  private(set) var hasMoved = false
  private(set) var isCancelled = false
  /// Of a pattern, what has happened in the folder since the last time that somebody asked.
  private var touched = TouchedNames()

  /// Told of a change, and of the paths of files that stood here and were given other names meanwhile.
  package typealias Observer = (_ change: FileChange, _ departures: [String]) -> Void

  init(_ path: String, isPattern: Bool, _ watcher: FileWatcher, _ changed: @escaping Observer) {
    self.path = path
    self.isPattern = isPattern
    self.watcher = watcher
    self.changed = changed
  }

  /// Tells nothing more.
  package func cancel() {
    if isCancelled { return }
    isCancelled = true
    for number in trail.watches { watcher.remove(self, from: number) }
  }

  /// The reason why changes may go unnoticed; `nil` if they do not.
  package var fault: Errno? { trail.fault }

  /// Takes an event of one of its watches in; `false` where it does not concern the path.
  func note(_ event: InotifyEvents.Event) -> Bool {
    if event.isOverflow {
      hasMoved = true
      touched.isStale = true
      change = .done
      return true
    }
    if isPattern, event.watch == trail.end?.watch, !event.name.isEmpty {
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
      // Somebody else watches what is in the folder.
      return false
    } else if !event.name.isEmpty && trail.names[event.watch]?.contains(event.name) != true {
      return false
    }
    hasMoved = true
    return true
  }

  /// Takes over the way as it is now.
  ///
  /// A watch belongs to one file for good, while the number of an inode is soon given to another.
  func adopt(_ trail: FileTrail) {
    hasMoved = false
    if trail.file != self.trail.file || trail.identity != self.trail.identity {
      // A file that has just been made has nothing in it yet.
      change = trail.isEmpty ? .underWay : .done
    }
    if isPattern, trail != self.trail {
      touched.isStale = true
      change = .done
    }
    self.trail = trail
  }

  /// What has happened in the folder since this was asked last.
  package func takeTouched() -> TouchedNames {
    defer { touched = TouchedNames() }
    return touched
  }

  /// The first look is not a change.
  func begin() { change = nil }

  func tell() {
    let departed = departures.take().map { "\(trail.end?.folder ?? "")/\($0)" }
    guard let change = change ?? (departed.isEmpty ? nil : .done) else { return }
    self.change = nil
    changed(change, departed)
  }
}
