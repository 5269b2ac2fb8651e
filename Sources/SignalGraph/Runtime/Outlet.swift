import JSON
import ReactiveCore

/// Where other signals hang on one.
///
/// They are told in the order of the graph, whenever they were connected: a reload that builds one of them afresh must
/// not change who comes first in a turn.
final class Outlet: BranchOwner {
  private typealias Branch = ReactiveCore.Branch<RunningSignal, Payload, SignalFailure>

  private var branches: [Branch] = []
  private var arrivals = 0
  private var visits = 0
  /// Whether some have gone, or came out of order, while somebody was being told.
  private var isUntidy = false

  var isEmpty: Bool { branches.isEmpty }

  /// A stream of all that is sent here, for a part of a signal.
  func stream(for signal: RunningSignal) -> Stream {
    arrivals += 1
    let branch = Branch(for: signal, arrival: arrivals, of: self)
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
    branches.sort { ($0.key.order, $0.arrival) < ($1.key.order, $1.arrival) }
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
    let isInOrder = branches.last.map { $0.key.order <= branch.key.order } ?? true
    branches.append(branch)
    if !isInOrder { sort() }
  }

  func branchHasEnded() {
    if visits > 0 { isUntidy = true } else { branches.removeAll { $0.isDisposed } }
  }
}
