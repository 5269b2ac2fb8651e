import Linux
import Queues

/// The timers of buses: for overdue answers, and for looking again.
final class BusAlarms {
  private let loop: EventLoop
  private var alarms = TimerHeap<BusAlarm>()
  /// Made for the first alarm.
  private var timer: LoopTimer?

  init(loop: EventLoop) { self.loop = loop }

  /// Has an action carried out, which tells nothing by itself.
  func schedule(at due: MonotonicInstant, _ action: @escaping () -> Void) -> BusAlarm {
    let alarm = BusAlarm(due: due, action: action, alarms: self)
    alarms.insert(alarm)
    if alarms.first === alarm { setTimer() }
    return alarm
  }

  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> BusAlarm {
    schedule(at: .now() + delay, action)
  }

  /// Nothing rings any more.
  func close() {
    alarms = TimerHeap()
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

/// One action that waits for its time.
final class BusAlarm: HeapTimer {
  let due: MonotonicInstant
  fileprivate let action: () -> Void
  private unowned let alarms: BusAlarms
  var heapIndex: Int?

  fileprivate init(due: MonotonicInstant, action: @escaping () -> Void, alarms: BusAlarms) {
    self.due = due
    self.action = action
    self.alarms = alarms
  }

  func isBefore(_ other: BusAlarm) -> Bool { due < other.due }

  /// Whether it has not rung yet.
  var isWaiting: Bool { heapIndex != nil }

  /// Nothing comes of it; a timer that rings for it finds nothing to do.
  func cancel() { alarms.remove(self) }
}
