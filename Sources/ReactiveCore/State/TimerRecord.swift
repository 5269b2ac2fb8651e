/// The due time of a timer, and its order among timers due then.
package struct TimerRecord: StateRecord {
  package let due: Instant
  /// The number of the timer among all of the scheduler.
  package let arrival: UInt64
  /// The number of preceding timers in a chain without time between them.
  package let chain: Int

  package init(due: Instant, arrival: UInt64, chain: Int) {
    (self.due, self.arrival, self.chain) = (due, arrival, chain)
  }

  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    (due, arrival, chain) = (try field(\.due), try field(\.arrival), try field(\.chain))
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
