import Base

/// Executes turns: each value that enters a graph is processed completely before the next one.
///
/// Operators with one input push straight through. A join (merge, combine, sample, …) collects the events of its inputs
/// and is settled afterwards, lowest rank first. A join ranks above everything that its inputs are computed from: they
/// have all been settled when it is, and each join is settled once a turn. This prevents glitches.
package final class Turns {
  /// The number of turns that one value from outside may cause.
  var chainLimit: Int
  private var unsettled = SettlingHeap()
  /// The unsettled joins of parts that are being started, outermost first: see `settle(below:)`.
  private var starts: [(rank: Int, unsettled: SettlingHeap)] = []
  private var queue = FirstInFirstOut<CausedTurn>()
  private(set) var isRunning = false
  /// The number of turns, from 1.
  var number: UInt64 = 0
  /// The number of turns that the last value from outside has caused so far.
  private var caused = 0
  private var present: CausedTurn?
  /// The recorder of turns that others open.
  var recorder: (any GraphWatch)?

  /// The time of the present turn and of those that it causes.
  var timer: TurnTimer

  init(chainLimit: Int, timer: TurnTimer) {
    self.chainLimit = chainLimit
    self.timer = timer
  }

  /// A turn that another one has opened.
  private final class CausedTurn {
    /// The signal that it sends to.
    let target: String
    private(set) var cause: CausedTurn?
    let action: () -> Void

    init(target: String, cause: CausedTurn?, action: @escaping () -> Void) {
      self.target = target
      self.cause = cause
      self.action = action
    }

    /// Releases a long chain one by one: a recursive release would take as much stack as the chain is long.
    deinit {
      var next = cause
      cause = nil
      while isKnownUniquelyReferenced(&next) {
        let earlier = next?.cause
        next?.cause = nil
        next = earlier
      }
    }
  }

  /// Runs `body` as one turn, and then the turns that it caused, first in, first out.
  ///
  /// - Parameter isLimited: False for a turn that may take any time.
  @inline(__always)
  package func run(isLimited: Bool = true, _ body: () -> Void) {
    open(isLimited: isLimited)
    body()
    close()
  }

  private func open(isLimited: Bool) {
    precondition(!isRunning, "a turn inside a turn: use enqueue")
    isRunning = true
    caused = 0
    number += 1
    if isLimited { timer.begin() }
  }

  private func close() {
    settle()
    if !queue.isEmpty { carryOutCaused() }
    isRunning = false
    timer.stop()
  }

  private func carryOutCaused() {
    while let turn = queue.popFirst() {
      present = turn
      number += 1
      turn.action()
      settle()
    }
    present = nil
  }

  /// Runs `body` as one turn without consequences in the graphs: there is nothing to settle and nothing to send to.
  func runAlone(_ body: () -> Void) {
    number += 1
    body()
  }

  /// Runs `body` within the present turn, or as a turn of its own if no turn is running.
  func runOrJoin(_ body: () -> Void) {
    if isRunning { body() } else { run(body) }
  }

  /// Opens another turn after those that wait, or at once if no turn is running.
  ///
  /// - Parameter target: The signal that the turn sends to.
  /// - Returns: The signals that the circle of turns runs through, if there have been too many and this one is not
  ///   executed.
  func enqueue(to target: String, _ action: @escaping () -> Void) -> [String]? {
    let action = recorder?.sending(to: target, action) ?? action
    guard isRunning else {
      run(action)
      return nil
    }
    caused += 1
    let turn = CausedTurn(target: target, cause: present, action: action)
    guard caused <= chainLimit else { return path(to: turn) }
    queue.append(turn)
    return nil
  }

  /// Returns the targets since the last turn with this target, in the order in which the values flow.
  private func path(to turn: CausedTurn) -> [String] {
    var path = [turn.target]
    var cause = turn.cause
    while let earlier = cause {
      path.append(earlier.target)
      if earlier.target == turn.target { break }
      cause = earlier.cause
    }
    return path.reversed()
  }

  func mark(_ join: any Settling) {
    if let start = starts.lastIndex(where: { join.rank < $0.rank }) {
      starts[start].unsettled.insert(join)
    } else {
      unsettled.insert(join)
    }
  }

  /// Starts a part in the middle of a turn, and settles its joins before continuing.
  ///
  /// An operator that replaces a run by another one in the same turn thus finds all its immediate events emitted.
  ///
  /// - Parameter rank: The rank of the operator that starts it: the part ranks below that, its dependents above.
  func settle(below rank: Int, _ start: () -> Void) {
    starts.append((rank, SettlingHeap()))
    start()
    while let join = starts[starts.count - 1].unsettled.popLowest() { join.settle() }
    starts.removeLast()
  }

  private func settle() {
    while let join = unsettled.popLowest() { join.settle() }
    while let ended = afterTurn.popLast() { ended() }
  }

  /// The work to do once the present turn has settled.
  private var afterTurn: [() -> Void] = []

  func atTurnEnd(_ action: @escaping () -> Void) { afterTurn.append(action) }
}

/// A part that is settled once a turn, after all of its inputs.
package protocol Settling: AnyObject {
  var rank: Int { get }
  func settle()
}
