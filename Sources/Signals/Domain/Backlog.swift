import CThread
import Synchronization

/// The deferred work of a domain's holder.
final class Backlog {
  /// Work of other threads, run before the domain is left; accessed under the domain's `backlogLock`.
  var pending: [() -> Void] = []

  /// Work of the holder itself, run after the domain is left; accessed by the holder alone.
  var departures: [() -> Void] = []

  /// The thread that has left the domain and runs the deferred work; it alone accesses `departing`.
  private let departer = Atomic<UInt>(0)
  private var departing: [() -> Void] = []

  /// Runs the work that was deferred until the domain is left.
  ///
  /// Work that this defers in turn is run by the same loop, further up the stack, so that streams that start each other
  /// through their observers do not deepen it.
  func depart(_ work: [() -> Void]) {
    let me = signalbox_thread_pointer()
    if departer.load(ordering: .relaxed) == me { return departing += work }
    // A second thread that departs meanwhile has no list: its stack may deepen.
    guard departer.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged else {
      return work.forEach { $0() }
    }
    departing = work
    while !departing.isEmpty {
      let items = departing
      departing = []
      items.forEach { $0() }
    }
    departer.store(0, ordering: .releasing)
  }
}
