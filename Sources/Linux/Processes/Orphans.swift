import CSystemd
import Glibc

/// Orphaned processes that were reparented to this one, as the init process of a container.
package enum Orphans {
  /// Reaps orphans that have ended.
  ///
  /// - Parameter isOwn: True for a child that other code reaps.
  package static func reap(besides isOwn: (Int32) -> Bool) {
    guard CurrentProcess.identifier == 1 else { return }
    while case let child = signalbox_ended_child(), child > 0, !isOwn(child) { waitpid(child, nil, WNOHANG) }
  }
}
