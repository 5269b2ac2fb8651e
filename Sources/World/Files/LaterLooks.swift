import Linux
import ReactiveCore

/// Schedules work every second for holders of open files that inotify does not report: removed or renamed ones.
final class LaterLooks {
  private static let interval = Duration.seconds(1)

  private let work: CooperativeTasks
  private let loop: EventLoop
  private var workers: [ObjectIdentifier: any CooperativeTask] = [:]
  private var timer: LoopTimer?
  private var isSet = false

  init(loop: EventLoop, work: CooperativeTasks) throws(Errno) {
    self.work = work
    self.loop = loop
    timer = try loop.addTimer { [weak self] in self?.lookAgain() }
  }

  /// Adds a worker, or removes it.
  func set(_ worker: any CooperativeTask, isNeeded: Bool) {
    workers[ObjectIdentifier(worker)] = isNeeded ? worker : nil
    setTimer()
  }

  private func setTimer() {
    if isSet || workers.isEmpty { return }
    isSet = true
    do throws(Errno) { try timer?.set(MonotonicInstant.now() + Self.interval) } catch { loop.fail(error) }
  }

  private func lookAgain() {
    isSet = false
    for worker in workers.values { work.add(worker) }
    setTimer()
  }
}
