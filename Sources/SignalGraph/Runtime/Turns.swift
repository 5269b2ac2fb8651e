/// Carries out turns: each value that enters a graph is worked out whole before the next one.
///
/// Operators with one input push straight through. A join (merge, combine, sample, …) collects what its inputs made
/// and is settled afterwards, lowest rank first. A join is built after its inputs and so ranks above them: when it is
/// settled they all have been, and each join is worked out once a turn. That is what keeps glitches out.
final class Turns {
  private var ranks = 0
  /// The joins that wait to be settled, the lowest rank last.
  private var unsettled: [any Settling] = []
  private var queue: [() -> Void] = []
  private var isRunning = false
  /// Values that left a signal in this turn.
  private var values = 0

  /// The rank of the next join: joins are built in the order of the graph.
  func nextRank() -> Int {
    ranks += 1
    return ranks
  }

  /// Runs `body` as one turn, and then the turns that it caused, first in first out.
  func run(_ body: () -> Void) {
    precondition(!isRunning, "a turn inside a turn: use enqueue")
    isRunning = true
    carryOut(body)
    while !queue.isEmpty {
      let caused = queue
      queue = []
      for turn in caused { carryOut(turn) }
    }
    isRunning = false
  }

  /// Opens another turn behind those that wait, or at once when no turn is running.
  func enqueue(_ turn: @escaping () -> Void) {
    if isRunning { queue.append(turn) } else { run(turn) }
  }

  func mark(_ join: any Settling) {
    let index = unsettled.firstIndex { $0.rank < join.rank } ?? unsettled.endIndex
    unsettled.insert(join, at: index)
  }

  private func carryOut(_ turn: () -> Void) {
    values = 0
    turn()
    settle()
  }

  /// Counts a value of this turn; `false` when there have been too many.
  func admitValue(limit: Int) -> Bool {
    values += 1
    return values <= limit
  }

  private func settle() {
    while let join = unsettled.popLast() { join.settle() }
  }
}

/// Something that is worked out once a turn, after all of its inputs.
protocol Settling: AnyObject {
  var rank: Int { get }
  func settle()
}
