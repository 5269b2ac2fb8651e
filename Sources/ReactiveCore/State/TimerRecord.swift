/// When a timer is due, and before which others that are due then.
package struct TimerRecord: Storable {
  package let due: Instant
  /// Counts all timers of the scheduler.
  package let arrival: UInt64
  /// How many timers have led to it without any time between.
  package let chain: Int

  package init(due: Instant, arrival: UInt64, chain: Int) {
    (self.due, self.arrival, self.chain) = (due, arrival, chain)
  }

  package func store(in writer: inout StateWriter) {
    due.store(in: &writer)
    arrival.store(in: &writer)
    chain.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(
      due: try Instant(from: &reader), arrival: try UInt64(from: &reader), chain: try Int(from: &reader))
  }
}

/// A timer that can be written down.
package protocol RecordedTimer: Disposable {
  /// Itself in writing; `nil` once it has run or was cancelled.
  var record: TimerRecord? { get }
}

/// A scheduler whose timers can be written down, and set again as they were.
package protocol RecordingScheduler: DateScheduler {
  func schedule(_ record: TimerRecord, action: @escaping () -> Void) -> any Disposable
}
