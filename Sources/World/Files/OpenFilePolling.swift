import Linux
import Signals

/// Runs tasks every second while they hold files open that were removed or renamed: inotify does not report those.
final class OpenFilePolling {
  private static let interval = Duration.seconds(1)

  private let work: CooperativeTasks
  private let loop: EventLoop
  private var tasks: [ObjectIdentifier: any CooperativeTask] = [:]
  private var timer: LoopTimer?
  private var isTimerSet = false

  init(loop: EventLoop, work: CooperativeTasks) throws(Errno) {
    self.work = work
    self.loop = loop
    timer = try loop.addTimer { [weak self] in self?.runTasks() }
  }

  /// Adds a task, or removes it.
  func set(_ task: any CooperativeTask, isNeeded: Bool) {
    tasks[ObjectIdentifier(task)] = isNeeded ? task : nil
    setTimer()
  }

  private func setTimer() {
    if isTimerSet || tasks.isEmpty { return }
    isTimerSet = true
    do throws(Errno) { try timer?.set(MonotonicInstant.now() + Self.interval) } catch { loop.fail(error) }
  }

  private func runTasks() {
    isTimerSet = false
    for task in tasks.values { work.add(task) }
    setTimer()
  }
}
