import Glibc
import Linux
import SignalGraph

/// The programs that graphs run, from their start until their whole process group is gone.
final class Programs {
  /// The variables that programs find in their environment.
  private static let environment = ["PATH=\(ProgramFile.searchPath)"]

  let poller: Poller
  let work: Piecework
  let log: SignalLog
  private let loop: EventLoop
  private var all: [ObjectIdentifier: ProgramRun] = [:]
  private var isEnding = false
  private var timer: LoopTimer?

  init(loop: EventLoop, poller: Poller, work: Piecework, log: SignalLog) throws(Errno) {
    self.loop = loop
    self.poller = poller
    self.work = work
    self.log = log
    timer = try loop.addTimer { [unowned self] in lookAtOverdue() }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Starts a program, which tells nothing before this has returned.
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    do throws(Errno) {
      if isEnding { throw Errno(ESHUTDOWN, call: "exec") }
      let path = try ProgramFile.path(of: program.command[0])
      let child = try ChildProcess(
        [path] + program.command.dropFirst(), environment: Self.environment + program.environment,
        input: program.input)
      let run = try ProgramRun(child, of: program, programs: self, receive)
      all[ObjectIdentifier(run)] = run
      return ProgramHandle(run)
    } catch {
      return notStarted(error, receive)
    }
  }

  private func notStarted(_ error: Errno, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    loop.post { receive(.ended(.notStarted(error.reason))) }
    return ProgramHandle(nil)
  }

  /// Ends all; none is started from now on.
  func end() {
    isEnding = true
    for run in all.values { run.terminate() }
  }

  /// Ends all, by SIGKILL those that have not ended in time, and waits for that; nobody is told.
  func endAll(within patience: Duration) {
    end()
    let end = MonotonicInstant.now() + patience
    while all.values.contains(where: { !$0.isGone }), MonotonicInstant.now() < end { usleep(2_000) }
    killAll()
  }

  /// Kills all, and waits for that; nobody is told.
  func killAll() {
    isEnding = true
    for run in all.values { run.kill() }
    all = [:]
  }

  func forget(_ run: ProgramRun) { all[ObjectIdentifier(run)] = nil }

  /// Children that programs have left behind may have become this process's own to wait for.
  func reapOrphans() {
    Orphans.reap { child in all.values.contains { $0.identifier == child } }
  }

  // MARK: Deadlines

  private func lookAtOverdue() {
    let now = MonotonicInstant.now()
    for run in all.values {
      if let deadline = run.deadline, deadline <= now { run.look(at: now) }
    }
    setTimer()
  }

  /// Has the loop call when the next program is to be looked at.
  func setTimer() {
    do throws(Errno) {
      try timer?.set(all.values.compactMap(\.deadline).min())
    } catch {
      loop.fail(error)
    }
  }
}

/// The handle with which the starter of a program ends it.
///
/// The listener for a program's end holds this as well, perhaps for much longer than the program runs; so the run, with
/// its descriptors, is kept by `Programs` alone.
private final class ProgramHandle: RunningProgram {
  private weak var run: ProgramRun?

  /// - Parameter run: `nil` for a program that could not be started.
  init(_ run: ProgramRun?) { self.run = run }

  func terminate() { run?.terminate() }
}
