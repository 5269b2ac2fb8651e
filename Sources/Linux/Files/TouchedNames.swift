import CSystemd
import Glibc

/// What has happened in a folder, as far as it is known.
package struct TouchedNames {
  /// More are no help: then all is looked at.
  private static let greatestCount = 1000

  /// The names of files that were written to.
  package private(set) var names: Set<String> = []
  /// Whether files may have come, gone, or changed their names.
  package internal(set) var isStale = false

  mutating func note(_ event: InotifyEvents.Event) {
    if event.mask & UInt32(IN_MODIFY) == 0 || names.count >= Self.greatestCount {
      isStale = true
    } else {
      names.insert(event.name)
    }
  }
}
