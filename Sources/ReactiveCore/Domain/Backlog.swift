import CThread
import Synchronization

/// The work that is left for the holder of a domain.
final class Backlog {
  /// Work that others have left, to be carried out before the domain is left; touched under the domain's `backlogLock`.
  var pending: [() -> Void] = []

  /// Work that the holder itself has left, to be carried out afterwards; touched by the holder alone.
  var departures: [() -> Void] = []

  /// The thread that has left the domain and carries out what was left until then; it alone touches `departing`.
  private let departer = Atomic<UInt>(0)
  private var departing: [() -> Void] = []

  /// Carries out what was left until the domain is left.
  ///
  /// Work that this leaves in turn is carried out by the same loop, further up the stack. So streams that start each
  /// other by what their observers send do not make it deeper.
  func depart(_ work: [() -> Void]) {
    let me = signalbox_thread_pointer()
    if departer.load(ordering: .relaxed) == me { return departing += work }
    // A second thread that departs meanwhile has no list: it may go deeper.
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
