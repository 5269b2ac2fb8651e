import Base
import GraphModel
import Signals

/// The values that wait in one `call` of a pipe or to be published: those that are under way, and those behind them.
package final class CallBacklog {
  /// The signal with the `call`, by its full name.
  let signal: String
  let target: CallTarget
  private unowned let engine: GraphEngine
  /// The starts of the calls under way, in microseconds since 1970.
  private var starts: [ObjectIdentifier: Int64] = [:]
  private var waiting = 0
  /// The time since which each of them waits, the oldest first.
  private var arrivals = FirstInFirstOut<Int64>()
  /// The messages that adapters have: their number, and the time since which the oldest one is published.
  var underWay: () -> (count: Int, since: Int64?) = { (0, nil) }
  /// The time of the first failure since the last success.
  private var failingSince: Int64?
  /// The time since which values are gathered for a batch.
  private var gatheringSince: Int64?
  /// The limit at which senders have to wait, if they do.
  private var limit: Int?
  private var isFull = false
  /// The failure of the last attempt.
  private(set) var lastFailure: NotedFailure?

  init(signal: String, target: CallTarget, _ engine: GraphEngine) {
    self.signal = signal
    self.target = target
    self.engine = engine
    engine.backlogs[ObjectIdentifier(self)] = self
  }

  /// The number of calls that are not done, with that of a batch that is gathered.
  var count: Int { starts.count + underWay().count + waiting + (gatheringSince == nil ? 0 : 1) }
  /// The time since which the oldest one waits.
  var oldest: Int64? {
    if count == 0 { return nil }
    let times = [arrivals.first, gatheringSince, underWay().since, failingSince].compactMap(\.self)
    return (Array(starts.values) + times).min()
  }

  /// Returns the function that takes note of each number of waiting values.
  ///
  /// - Parameter limit: The number at which senders have to wait, if they do.
  package func counting(limit: Int?) -> (Int) -> Void {
    self.limit = limit
    return { [unowned self] in
      while arrivals.count > $0 { _ = arrivals.popFirst() }
      if arrivals.count < $0 {
        let now = engine.clock.microseconds
        while arrivals.count < $0 { arrivals.append(now) }
      }
      waiting = $0
      update()
    }
  }

  /// Senders continue only well below the limit, so that they do not stop again at once.
  private func update() {
    guard let limit else { return }
    if !isFull, waiting >= limit {
      isFull = true
      engine.onCongestion(signal, true)
    } else if isFull, waiting <= limit / 2 {
      isFull = false
      engine.onCongestion(signal, false)
    }
  }

  func begin(_ call: AnyObject, at time: Int64) { starts[ObjectIdentifier(call)] = time }

  func end(_ call: AnyObject) { starts[ObjectIdentifier(call)] = nil }

  /// Notes the beginning of a batch, or that the values gathered for it wait as one.
  func gather(_ isGathering: Bool) {
    gatheringSince = isGathering ? gatheringSince ?? engine.clock.microseconds : nil
  }

  /// Notes that an attempt has succeeded: what failed before works again.
  func noteSuccess() { (lastFailure, failingSince) = (nil, nil) }

  func note(_ failure: CallFailure) {
    failingSince = failingSince ?? engine.clock.microseconds
    lastFailure = NotedFailure(failure: failure.failure, status: failure.status, time: engine.clock.microseconds)
  }

  /// Notes that its signal has ended: nothing waits any more, and what did is lost.
  func close() {
    engine.backlogs[ObjectIdentifier(self)] = nil
    if count > 0, !engine.isOver {
      engine.world.log("\(target.loss(of: count)): the signal has ended or changed", signal: signal)
    }
    if isFull { engine.onCongestion(signal, false) }
    isFull = false
    limit = nil
  }

  /// True while its senders have to wait.
  var blocksSenders: Bool { isFull }
}
