import GraphModel
import ReactiveCore

/// The values that wait in one `call` of a pipe: those that are called for, and those behind them.
package final class CallBacklog {
  /// The signal with the `call`, and the action, by their full names.
  let signal: String
  let action: String
  private unowned let engine: GraphEngine
  /// The starts of the calls under way, in microseconds since 1970.
  private var starts: [ObjectIdentifier: Int64] = [:]
  private var waiting = 0
  /// The time since which something waits behind the calls under way.
  private var waitingSince: Int64?
  /// The limit at which senders have to wait, if they do.
  private var limit: Int?
  private var isFull = false
  /// The last failure of an attempt.
  private(set) var lastFailure: NotedFailure?

  init(signal: String, action: String, _ engine: GraphEngine) {
    self.signal = signal
    self.action = action
    self.engine = engine
    engine.backlogs[ObjectIdentifier(self)] = self
  }

  /// The number of values that are not done.
  var count: Int { starts.count + waiting }
  /// The time since which the oldest one waits.
  var oldest: Int64? { (Array(starts.values) + [waitingSince].compactMap(\.self)).min() }

  /// Returns the function that takes note of each number of waiting values.
  ///
  /// - Parameter limit: The number at which senders have to wait, if they do.
  package func counting(limit: Int?) -> (Int) -> Void {
    self.limit = limit
    return { [unowned self] in
      waiting = $0
      if $0 == 0 { waitingSince = nil } else if waitingSince == nil { waitingSince = engine.clock.microseconds }
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

  func note(_ failure: CallFailure) {
    lastFailure = NotedFailure(failure: failure.failure, status: failure.status, time: engine.clock.microseconds)
  }

  /// Its signal has ended: nothing waits any more.
  func close() {
    engine.backlogs[ObjectIdentifier(self)] = nil
    if isFull { engine.onCongestion(signal, false) }
    isFull = false
    limit = nil
  }

  /// True while its senders have to wait.
  var blocksSenders: Bool { isFull }
}
