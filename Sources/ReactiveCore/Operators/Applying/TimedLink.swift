/// What an operator that waits works on: its memory, what is downstream, and its one timer.
///
/// Values and completion reach what is downstream through the scheduler. `failed` and `interrupted` are forwarded at once,
/// on the thread that sends them, and what is held is dropped.
final class TimedLink<Memory, Downstream: Receiver> {
  @exclusivity(unchecked) var memory: Memory
  let downstream: Downstream
  let scope: Scope
  let scheduler: any DateScheduler
  private let timer = SerialDisposable()

  init(_ memory: Memory, _ downstream: Downstream, _ scope: Scope, _ scheduler: any DateScheduler) {
    self.memory = memory
    self.downstream = downstream
    self.scope = scope
    self.scheduler = scheduler
    scope.hold(timer)
  }

  /// Does `action` at `date`, instead of what the timer was set for before.
  func wait(until date: Instant, _ action: @escaping (TimedLink) -> Void) {
    timer.inner = scheduler.schedule(after: date) { self.scope.perform { action(self) } }
  }

  /// Does `action` as soon as the scheduler comes to it, instead of what the timer was set for before.
  func hop(_ action: @escaping (TimedLink) -> Void) {
    timer.inner = scheduler.schedule { self.scope.perform { action(self) } }
  }

  /// Does `action` every `interval` from now on, until another timer is set.
  func tick(every interval: Duration, _ action: @escaping (TimedLink) -> Void) {
    timer.inner = scheduler.schedule(after: scheduler.currentDate + interval, interval: interval) {
      self.scope.perform { action(self) }
    }
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
}
