import CSystemd
import Glibc

/// Processes that have lost their parent and are children of this one now, since it is the first of its container.
package enum Orphans {
  /// Reaps those that have ended.
  ///
  /// - Parameter isOwn: Whether other code waits for a child.
  package static func reap(besides isOwn: (Int32) -> Bool) {
    guard CurrentProcess.identifier == 1 else { return }
    while case let child = signalbox_ended_child(), child > 0, !isOwn(child) { waitpid(child, nil, WNOHANG) }
  }
}
