import CThread

/// The state of an operator that waits: its memory, its downstream, and its one timer.
///
/// Values and completion are delivered by the scheduler. `failed` and `interrupted` are forwarded at once, on the
/// thread that sends them, and held values are dropped.
@usableFromInline final class TimedLink<Memory, Downstream: Receiver> {
  @exclusivity(unchecked) @usableFromInline var memory: Memory
  @usableFromInline let downstream: Downstream
  let scope: Scope
  @usableFromInline let scheduler: any DateScheduler
  /// The scheduler, if its timers can be late.
  private let recording: (any RecordingScheduler)?
  /// The action at the due time.
  private let action: (TimedLink) -> Void
  private let timer = SerialDisposable()
  /// The moment for which the timer was last set.
  private var due = Instant.zero
  /// True if memory and timer were restored from a saved link.
  private(set) var isRestored = false

  @usableFromInline init(
    _ memory: Memory, _ downstream: Downstream, _ scope: Scope, _ scheduler: any DateScheduler,
    whenDue action: @escaping (TimedLink) -> Void
  ) {
    self.memory = memory
    self.downstream = downstream
    self.scope = scope
    self.scheduler = scheduler
    recording = scheduler as? any RecordingScheduler
    self.action = action
    scope.hold(timer)
    if signalbox_present_keeper() != nil { PresentKeeper.enrol(self) }
  }

  /// Runs the action at `date`, replacing the timer.
  @usableFromInline func wait(until date: Instant) {
    due = date
    timer.inner = scheduler.schedule(after: date, action: onTime)
  }

  /// The moment for which the action runs.
  ///
  /// Where the scheduler is late, later due times are left to a timer of their own, so that they run after the timers
  /// due in between.
  @usableFromInline var moment: Instant { recording?.moment(ofTimerDue: due) ?? due }

  /// Runs the action every `interval` from now on, until another timer is set.
  func tick(every interval: Duration) {
    timer.inner = scheduler.schedule(after: scheduler.currentDate + interval, interval: interval, action: onTime)
  }

  /// Runs `action` as soon as the scheduler can, replacing the timer.
  func hop(_ action: @escaping (TimedLink) -> Void) {
    timer.inner = scheduler.schedule { self.scope.perform { action(self) } }
  }

  private var onTime: () -> Void {
    { self.scope.perform { self.action(self) } }
  }

  /// Cancels the timer.
  func stopWaiting() { timer.inner = nil }

  /// Takes an ending, which `complete` prepares if it is a completion.
  @usableFromInline func end(_ ending: Ending<Downstream.Failure>, complete: @escaping (TimedLink) -> Void) {
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

  /// The encoded timer.
  var timerRecord: TimerRecord? { (timer.inner as? any RecordedTimer)?.record }

  /// Restores the timer from its record.
  func restoreTimer(_ record: TimerRecord?) throws(StateError) {
    isRestored = true
    guard let record else { return }
    guard let recording else { throw StateError("the scheduler cannot set a timer again") }
    due = record.due
    timer.inner = recording.schedule(record, action: onTime)
  }
}

extension TimedLink: KeptMemory {
  var remembered: Any? { memory }

  func encode(to writer: inout StateEncoder) {
    store(memory, in: &writer)
    timerRecord.encode(to: &writer)
  }

  func restore(from reader: inout StateDecoder) throws(StateError) {
    memory = try restored(Memory.self, from: &reader)
    try restoreTimer(TimerRecord?(from: &reader))
  }
}
