package import Base
import CSystemd
import Glibc

/// The known events in a folder.
package struct TouchedNames {
  /// The maximum number of names; beyond it, everything is checked.
  private static let greatestCount = 1000

  /// The names of files with new data.
  package private(set) var names: Set<ExactText> = []
  /// True if files may have been added, removed or renamed.
  package internal(set) var isStale = false

  mutating func note(_ event: InotifyEvents.Event) {
    if event.mask & UInt32(IN_MODIFY) == 0 || names.count >= Self.greatestCount {
      isStale = true
    } else if let name = event.name {
      names.insert(name)
    }
  }
}
