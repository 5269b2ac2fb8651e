import Base
import Linux

/// The timers of buses: for call timeouts and retries.
package final class BusAlarms {
  private let loop: EventLoop
  private var alarms = IndexedHeap<BusAlarm>()
  /// Created for the first alarm.
  private var timer: LoopTimer?

  init(loop: EventLoop) { self.loop = loop }

  /// Schedules an action; the alarm itself must be retained by the caller.
  func schedule(at due: MonotonicInstant, _ action: @escaping () -> Void) -> BusAlarm {
    let alarm = BusAlarm(due: due, action: action, alarms: self)
    alarms.insert(alarm)
    if alarms.first === alarm { setTimer() }
    return alarm
  }

  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> BusAlarm {
    schedule(at: .now() + delay, action)
  }

  /// Removes all alarms; their owners may still cancel them.
  func close() {
    while let alarm = alarms.first { alarms.remove(alarm) }
    timer = nil
  }

  fileprivate func remove(_ alarm: BusAlarm) { alarms.remove(alarm) }

  private func ring() {
    let now = MonotonicInstant.now()
    while let alarm = alarms.first, alarm.due <= now {
      alarms.remove(alarm)
      alarm.action()
    }
    setTimer()
  }

  private func setTimer() {
    do throws(Errno) {
      if timer == nil { timer = try loop.addTimer { [unowned self] in ring() } }
      try timer?.set(alarms.first?.due)
    } catch {
      loop.fail(error)
    }
  }
}

/// One scheduled action.
package final class BusAlarm: HeapElement {
  let due: MonotonicInstant
  fileprivate let action: () -> Void
  private weak var alarms: BusAlarms?
  package internal(set) var heapIndex: Int?

  fileprivate init(due: MonotonicInstant, action: @escaping () -> Void, alarms: BusAlarms) {
    self.due = due
    self.action = action
    self.alarms = alarms
  }

  package var heapKey: Int64 { due.nanoseconds }

  package func isBefore(_ other: BusAlarm) -> Bool { false }

  /// True until the action has run or been cancelled.
  var isWaiting: Bool { heapIndex != nil }

  /// Cancels the action; a timer that fires for it finds nothing to do.
  package func cancel() { alarms?.remove(self) }
}
