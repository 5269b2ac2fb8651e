import GraphModel
import JSON
import Signals

/// The connection of a signal to its dependents.
///
/// They receive events in the order of the graph, whenever they were connected: neither a reload that rebuilds one of
/// them nor resuming from a state may change the order within a turn.
final class Outlet: BranchOwner {
  private typealias Branch = Signals.Branch<Listener, Payload, SignalFailure>

  /// A dependent: a part of a signal, which runs by itself or, if it is cold, for another signal or a subscriber.
  private final class Listener {
    let signal: RunningSignal
    let owner: BodyOwner

    init(_ body: RunningBody) { (signal, owner) = (body.signal, body.owner) }

    var place: (UInt32, UInt32, UInt64) { (signal.order, owner.signal.order, owner.run) }
  }

  private var branches: [Branch] = []
  /// The number of branches that were disposed of and are still listed.
  private var disposed = 0
  private var arrivals = 0
  private var visits = 0
  /// True if branches were disposed of, or added out of order, during a delivery.
  private var isUntidy = false

  var isEmpty: Bool { branches.count == disposed }

  /// Returns a stream of everything sent here, for a part of a signal.
  func stream(for body: RunningBody) -> Stream {
    arrivals += 1
    let branch = Branch(for: Listener(body), arrival: arrivals, of: self)
    connect(branch)
    return branch.makeSignal()
  }

  func send(_ value: Payload) { visit { $0.send(value) } }

  /// Ends every connected stream.
  func end(with ending: SignalEnding) {
    let ending = Ending(ending)
    visit { $0.send(ending) }
  }

  /// Sorts the branches into the order of the graph, which may have changed.
  func sort() {
    guard visits == 0 else { return isUntidy = true }
    branches.sort { one, other in
      let (place, otherPlace) = (one.key.place, other.key.place)
      return place == otherPlace ? one.arrival < other.arrival : place < otherPlace
    }
    isUntidy = false
  }

  /// Delivers to the branches that existed at the beginning and were not disposed of meanwhile.
  private func visit(_ emit: (Branch) -> Void) {
    visits += 1
    for index in 0..<branches.count where !branches[index].isDisposed { emit(branches[index]) }
    visits -= 1
    guard isUntidy, visits == 0 else { return }
    removeDisposed()
    sort()
  }

  private func connect(_ branch: Branch) {
    let isInOrder = branches.last.map { $0.key.place <= branch.key.place } ?? true
    if isInOrder || visits > 0 || isUntidy {
      branches.append(branch)
      if !isInOrder { sort() }
    } else {
      branches.insert(branch, at: place(for: branch))
    }
  }

  /// Returns the index behind all branches that receive events before or with a new one, in a list that is sorted: sorting it
  /// anew for each of thousands of runs would take seconds.
  private func place(for branch: Branch) -> Int {
    var (low, high) = (0, branches.count)
    while low < high {
      let middle = (low + high) / 2
      if branches[middle].key.place <= branch.key.place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func branchHasEnded() {
    disposed += 1
    if visits > 0 {
      isUntidy = true
    } else if 2 * disposed > branches.count {
      // Not each by itself: removing one takes as long as there are branches.
      removeDisposed()
    }
  }

  private func removeDisposed() {
    // Their release may disconnect others and is delayed until the list is consistent.
    let all = branches
    branches.removeAll { $0.isDisposed }
    disposed = 0
    withExtendedLifetime(all) {}
  }
}
