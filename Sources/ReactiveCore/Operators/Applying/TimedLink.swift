import CThread

/// The workspace of an operator that waits: its memory, what is downstream, and its one timer.
///
/// Values and completion reach what is downstream through the scheduler. `failed` and `interrupted` are forwarded at
/// once, on the thread that sends them, and what is held is dropped.
final class TimedLink<Memory, Downstream: Receiver> {
  @exclusivity(unchecked) var memory: Memory
  let downstream: Downstream
  let scope: Scope
  let scheduler: any DateScheduler
  /// The action when the time has come.
  private let action: (TimedLink) -> Void
  private let timer = SerialDisposable()
  /// Whether memory and timer are those of a link that was kept.
  private(set) var isRestored = false

  init(
    _ memory: Memory, _ downstream: Downstream, _ scope: Scope, _ scheduler: any DateScheduler,
    whenDue action: @escaping (TimedLink) -> Void
  ) {
    self.memory = memory
    self.downstream = downstream
    self.scope = scope
    self.scheduler = scheduler
    self.action = action
    scope.hold(timer)
    if signalbox_present_keeper() != nil { PresentKeeper.enrol(self) }
  }

  /// Does its action at `date`, instead of what the timer was set for before.
  func wait(until date: Instant) { timer.inner = scheduler.schedule(after: date, action: onTime) }

  /// Does its action every `interval` from now on, until another timer is set.
  func tick(every interval: Duration) {
    timer.inner = scheduler.schedule(after: scheduler.currentDate + interval, interval: interval, action: onTime)
  }

  /// Does `action` as soon as the scheduler comes to it, instead of what the timer was set for before.
  func hop(_ action: @escaping (TimedLink) -> Void) {
    timer.inner = scheduler.schedule { self.scope.perform { action(self) } }
  }

  private var onTime: () -> Void {
    { self.scope.perform { self.action(self) } }
  }

  /// Forgets what the timer was set for.
  func stopWaiting() { timer.inner = nil }

  /// Takes an ending, which `complete` prepares if it is a completion.
  func end(_ ending: Ending<Downstream.Failure>, complete: @escaping (TimedLink) -> Void) {
    if case .completed = ending {
      hop {
        complete($0)
        $0.downstream.end(.completed)
      }
    } else {
      timer.dispose()
      downstream.end(ending)
    }
  }

  /// The timer that it waits for, in writing.
  var timerRecord: TimerRecord? { (timer.inner as? any RecordedTimer)?.record }

  /// Waits for what it waited for when it was written down.
  func restoreTimer(_ record: TimerRecord?) throws(StateError) {
    isRestored = true
    guard let record else { return }
    guard let scheduler = scheduler as? any RecordingScheduler else {
      throw StateError("the scheduler cannot set a timer again")
    }
    timer.inner = scheduler.schedule(record, action: onTime)
  }
}
