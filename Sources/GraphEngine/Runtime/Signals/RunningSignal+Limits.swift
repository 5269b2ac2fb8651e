import GraphModel
import JSON

extension RunningSignal {
  /// Counts a loss, or a program.
  package func count(_ event: Losses.Event) {
    losses.count(event)
    engine.onLoss(self, event)
  }

  /// Returns true if a value is within the limits; otherwise drops it, for all dependents too.
  func admits(_ value: Payload) -> Bool {
    guard tally.admitsValue(in: engine.turns.number, limit: engine.limits.turn) else {
      drop(past: "more than \(engine.limits.turn) values in one turn (limits.turn)")
      return false
    }
    guard engine.turns.timer.admitsWork() else {
      drop(past: engine.turns.timer.overtime)
      return false
    }
    guard value.isWithin(bytes: engine.limits.value) else {
      drop(past: "value exceeds \(engine.limits.value) bytes (limits.value)")
      return false
    }
    losses.pass()
    return true
  }

  /// Counts a value lost to a limit of all graphs, and reports the first after one that was not lost.
  ///
  /// - Parameters:
  ///   - publicly: The message to clients about the limit, if it differs from that to the log.
  ///   - operatorName: The operator that lost it; the last one by default.
  func drop(
    past bound: @autoclosure () -> String, publicly: @autoclosure () -> String? = nil, in operatorName: String? = nil
  ) {
    guard drop(bound()) else { return }
    let body = declaration.body
    engine.report(
      pastBound: publicly() ?? bound(), of: operatorName ?? body.pipe.last?.name ?? body.source.name, in: self)
  }

  /// Counts a value lost to a limit, and logs the first after one that was not lost.
  ///
  /// - Returns: True if it was the first.
  @discardableResult package func drop(_ reason: @autoclosure () -> String) -> Bool {
    let isFirst = losses.drop()
    engine.onLoss(self, .drop)
    if isFirst { engine.world.log(reason(), signal: name) }
    return isFirst
  }
}
