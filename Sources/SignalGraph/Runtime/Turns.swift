import Queues

/// Carries out turns: each value that enters a graph is worked out whole before the next one.
///
/// Operators with one input push straight through. A join (merge, combine, sample, …) collects what its inputs made
/// and is settled afterwards, lowest rank first. A join ranks above everything that its inputs are computed from: when
/// it is settled they all have been, and each join is worked out once a turn. That is what keeps glitches out.
final class Turns {
  /// Turns that one value from outside may cause.
  var chainLimit: Int
  private var unsettled = SettlingHeap()
  /// The same of what is being started, outermost first: see `settle(below:)`.
  private var starts: [(rank: Int, unsettled: SettlingHeap)] = []
  private var queue = FirstInFirstOut<CausedTurn>()
  private(set) var isRunning = false
  /// Counts the turns, from 1.
  var number: UInt64 = 0
  /// Turns that the last value from outside has caused so far.
  private var caused = 0
  private var present: CausedTurn?
  /// Notes which turns others open.
  var watch: Watch?

  init(chainLimit: Int) { self.chainLimit = chainLimit }

  /// A turn that another one opened.
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

    /// Lets go of a long chain one by one: each letting go of the next would take as much stack as it is long.
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

  /// Runs `body` as one turn, and then the turns that it caused, first in first out.
  func run(_ body: () -> Void) {
    precondition(!isRunning, "a turn inside a turn: use enqueue")
    isRunning = true
    caused = 0
    carryOut(body)
    while let turn = queue.popFirst() {
      present = turn
      carryOut(turn.action)
    }
    present = nil
    isRunning = false
  }

  /// Runs `body` as one turn of which nothing follows in the graphs: there is nothing to settle and nobody to send to.
  func runAlone(_ body: () -> Void) {
    number += 1
    body()
  }

  /// Runs `body` within the present turn, or as one of its own when no turn is running.
  func runOrJoin(_ body: () -> Void) {
    if isRunning { body() } else { run(body) }
  }

  /// Opens another turn behind those that wait, or at once when no turn is running.
  ///
  /// - Parameter target: The signal that the turn sends to.
  /// - Returns: The signals through which the turns chase each other, when there have been too many and this one is
  ///   not carried out.
  func enqueue(to target: String, _ action: @escaping () -> Void) -> [String]? {
    let action = watch?.sending(to: target, action) ?? action
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

  /// From the last time that the turn's target was sent to, in the order in which the values flow.
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

  /// Starts something in the midst of a turn, and settles the joins that it consists of before going on.
  ///
  /// So whatever starts another in its place in the same turn finds everything said that it says at once.
  ///
  /// - Parameter rank: That of what starts it: what it is made of ranks below that, and its listeners above.
  func settle(below rank: Int, _ start: () -> Void) {
    starts.append((rank, SettlingHeap()))
    start()
    while let join = starts[starts.count - 1].unsettled.popLowest() { join.settle() }
    starts.removeLast()
  }

  private func carryOut(_ turn: () -> Void) {
    number += 1
    turn()
    while let join = unsettled.popLowest() { join.settle() }
    while let ended = afterTurn.popLast() { ended() }
  }

  /// The work to do once the present turn has settled.
  private var afterTurn: [() -> Void] = []

  func atTurnEnd(_ action: @escaping () -> Void) { afterTurn.append(action) }
}

/// Something that is worked out once a turn, after all of its inputs.
protocol Settling: AnyObject {
  var rank: Int { get }
  func settle()
}
