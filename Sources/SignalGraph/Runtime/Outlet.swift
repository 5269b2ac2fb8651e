import JSON
import ReactiveCore

/// Where other signals hang on one.
///
/// They are told in the order of the graph, whenever they were connected: a reload that builds one of them afresh must
/// not change who comes first in a turn, and neither must going on from a state.
final class Outlet: BranchOwner {
  private typealias Branch = ReactiveCore.Branch<Listener, Payload, SignalFailure>

  /// Who hangs here: a part of a signal, which runs by itself or, if it is cold, for another one or a subscriber.
  private final class Listener {
    let signal: RunningSignal
    let owner: BodyOwner

    init(_ body: RunningBody) { (signal, owner) = (body.signal, body.owner) }

    var place: (UInt32, UInt32, UInt64) { (signal.order, owner.signal.order, owner.run) }
  }

  private var branches: [Branch] = []
  private var arrivals = 0
  private var visits = 0
  /// Whether some have gone, or came out of order, while somebody was being told.
  private var isUntidy = false

  var isEmpty: Bool { branches.isEmpty }

  /// A stream of all that is sent here, for a part of a signal.
  func stream(for body: RunningBody) -> Stream {
    arrivals += 1
    let branch = Branch(for: Listener(body), arrival: arrivals, of: self)
    connect(branch)
    return branch.makeSignal()
  }

  func send(_ value: Payload) { visit { $0.send(value) } }

  /// Ends every stream that hangs here.
  func end(with ending: SignalEnding) {
    let ending = Ending(ending)
    visit { $0.send(ending) }
  }

  /// Puts them into the order of the graph, which may have become another one.
  func sort() {
    guard visits == 0 else { return isUntidy = true }
    branches.sort { one, other in
      let (place, otherPlace) = (one.key.place, other.key.place)
      return place == otherPlace ? one.arrival < other.arrival : place < otherPlace
    }
    isUntidy = false
  }

  /// Tells those who were there at the beginning and have not left meanwhile.
  private func visit(_ tell: (Branch) -> Void) {
    visits += 1
    for index in 0..<branches.count where !branches[index].isDisposed { tell(branches[index]) }
    visits -= 1
    guard isUntidy, visits == 0 else { return }
    branches.removeAll { $0.isDisposed }
    sort()
  }

  private func connect(_ branch: Branch) {
    let isInOrder = branches.last.map { $0.key.place <= branch.key.place } ?? true
    branches.append(branch)
    if !isInOrder { sort() }
  }

  func branchHasEnded() {
    if visits > 0 { isUntidy = true } else { branches.removeAll { $0.isDisposed } }
  }
}
