/// The due time of a timer, and its order among timers due then.
package struct TimerRecord: StateCodable {
  package let due: Instant
  /// The number of the timer among all of the scheduler.
  package let arrival: UInt64
  /// The number of preceding timers in a chain without time between them.
  package let chain: Int

  package init(due: Instant, arrival: UInt64, chain: Int) {
    (self.due, self.arrival, self.chain) = (due, arrival, chain)
  }

  package func encode(to writer: inout StateEncoder) {
    due.encode(to: &writer)
    arrival.encode(to: &writer)
    chain.encode(to: &writer)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self.init(
      due: try Instant(from: &reader), arrival: try UInt64(from: &reader), chain: try Int(from: &reader))
  }
}

/// A timer that can be encoded.
package protocol RecordedTimer: Disposable {
  /// The encoded timer; `nil` once it has run or was cancelled.
  var record: TimerRecord? { get }
}

/// A scheduler whose timers can be encoded and restored.
package protocol RecordingScheduler: DateScheduler {
  /// Returns the moment for which a timer acts that was due at `due`, which may run later than that.
  func moment(ofTimerDue due: Instant) -> Instant

  func schedule(_ record: TimerRecord, action: @escaping () -> Void) -> any Disposable
}
