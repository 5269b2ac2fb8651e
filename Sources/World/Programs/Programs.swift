import Glibc
import GraphEngine
import Linux

/// The programs that graphs run, from their start until their whole process group is gone.
final class Programs {
  /// The environment variables of programs.
  private static let environment = ["PATH=\(ProgramFile.searchPath)"]

  let poller: Poller
  let work: CooperativeTasks
  let log: SignalLog
  private let loop: EventLoop
  private var all: [ObjectIdentifier: ProgramRun] = [:]
  /// The programs that wait for others to be gone, in order of their start.
  private var waiting: [WaitingProgram] = []
  /// The programs that stay from one call to the next.
  private var kept: [KeptProgram] = []
  /// Their commands as declared, by action.
  private var declared: [String: [String]] = [:]
  private var isEnding = false
  private var timer: LoopTimer?

  init(loop: EventLoop, poller: Poller, work: CooperativeTasks, log: SignalLog) throws(Errno) {
    self.loop = loop
    self.poller = poller
    self.work = work
    self.log = log
    timer = try loop.addTimer { [unowned self] in lookAtOverdue() }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Starts a program, which delivers no event before this has returned.
  ///
  /// A source's program starts once those that the same signal has ended before are gone, with all of their process
  /// groups: they may hold what it needs. `ProgramRun` limits how long that takes.
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    if program.isKept { return call(program, receive) }
    let former = program.purpose == .source ? all.filter { $1.isEnding && $1.signal == program.owner } : [:]
    guard former.isEmpty || isEnding else {
      let handle = ProgramHandle()
      waiting.append(WaitingProgram(program, handle, behind: Set(former.keys), receive))
      return handle
    }
    let handle = ProgramHandle()
    start(program, as: handle, receive)
    return handle
  }

  private func start(_ program: Program, as handle: ProgramHandle, _ receive: @escaping (ProgramEvent) -> Void) {
    do throws(Errno) {
      if isEnding { throw Errno(ESHUTDOWN, call: "exec") }
      let path = try ProgramFile.path(of: program.command[0])
      let child = try ChildProcess(
        [path] + program.command.dropFirst(), environment: Self.environment + program.environment,
        input: program.input)
      let run = try ProgramRun(child, of: program, programs: self, receive)
      all[ObjectIdentifier(run)] = run
      handle.run = run
    } catch {
      loop.post { receive(.ended(.notStarted(error.reason))) }
    }
  }

  // MARK: Programs that stay

  /// Starts a call of a program that stays: an idle one answers it, or another one that is started.
  private func call(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> KeptCall {
    let call = KeptCall()
    for idle in kept where idle.isIdle && idle.serves(program) {
      if idle.answer(call, program.input, receive) { return call }
    }
    do throws(Errno) { try startKept(program, call, receive) } catch {
      loop.post { receive(.ended(.notStarted(error.reason))) }
    }
    return call
  }

  private func startKept(
    _ program: Program, _ call: KeptCall, _ receive: @escaping (ProgramEvent) -> Void
  ) throws(Errno) {
    if isEnding { throw Errno(ESHUTDOWN, call: "exec") }
    let path = try ProgramFile.path(of: program.command[0])
    let input = try InputPipe(poller)
    let child = try ChildProcess(
      [path] + program.command.dropFirst(), environment: Self.environment, reading: input.readerNumber)
    input.closeReader()
    let started = KeptProgram(
      program, input, log: log, onAnswer: { [unowned self] in endIfNeedless($0) },
      onEnd: { [unowned self] ended in kept.removeAll { $0 === ended } })
    let handle = ProgramHandle()
    let run = try ProgramRun(child, of: program.withoutInput, programs: self) { [weak started] in started?.receive($0) }
    all[ObjectIdentifier(run)] = run
    handle.run = run
    kept.append(started)
    started.begin(handle, call, program.input, receive)
  }

  /// Ends an idle program if another one waits for the same calls, or if it is no longer declared.
  private func endIfNeedless(_ program: KeptProgram) {
    guard program.isIdle else { return }
    if !program.isDeclared(in: declared) || kept.contains(where: program.isSpare) { program.end() }
  }

  /// Ends programs that stay and are no longer declared, once their calls are answered.
  ///
  /// - Parameter declared: The commands of those that are, by action.
  func endUndeclared(_ declared: [String: [String]]) {
    self.declared = declared
    for program in kept { endIfNeedless(program) }
  }

  // MARK: The end

  /// Starts the programs that have waited for a run that is gone.
  private func startNext(behind run: ObjectIdentifier) {
    for program in waiting { program.former.remove(run) }
    let ready = waiting.filter { $0.former.isEmpty || $0.handle.isCancelled }
    waiting.removeAll { $0.former.isEmpty || $0.handle.isCancelled }
    for next in ready {
      if next.handle.isCancelled || isEnding {
        loop.post { next.receive(.ended(.killed(SIGTERM))) }
      } else {
        start(next.program, as: next.handle, next.receive)
      }
    }
  }

  /// Asks all programs to end, and starts no more.
  func end() {
    isEnding = true
    for program in kept { program.end() }
    for run in all.values { run.terminate() }
  }

  /// Ends all programs without reports, by SIGKILL those that have not ended in time, and waits for them.
  func endAll(within patience: Duration) {
    end()
    let end = MonotonicInstant.now() + patience
    while all.values.contains(where: { !$0.isGone }), MonotonicInstant.now() < end { usleep(2_000) }
    killAll()
  }

  /// Kills all programs without reports, and waits for them.
  func killAll() {
    isEnding = true
    for run in all.values { run.kill() }
    (all, waiting, kept) = ([:], [], [])
  }

  /// Removes a run that is gone with all of its group.
  func remove(_ run: ProgramRun) {
    all[ObjectIdentifier(run)] = nil
    startNext(behind: ObjectIdentifier(run))
  }

  /// Children of ended programs may have been reparented to this process, which has to wait for them.
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

  /// Sets the timer to the next check of a program.
  func setTimer() {
    do throws(Errno) {
      try timer?.set(all.values.compactMap(\.deadline).min())
    } catch {
      loop.fail(error)
    }
  }
}

/// A program that is to start once others are gone.
private final class WaitingProgram {
  let program: Program
  let handle: ProgramHandle
  /// The runs that it waits for; runs that are ended later do not count.
  var former: Set<ObjectIdentifier>
  let receive: (ProgramEvent) -> Void

  init(
    _ program: Program, _ handle: ProgramHandle, behind former: Set<ObjectIdentifier>,
    _ receive: @escaping (ProgramEvent) -> Void
  ) {
    self.program = program
    self.handle = handle
    self.former = former
    self.receive = receive
  }
}

/// The handle for ending a program.
///
/// The observer of a program's end holds this as well, perhaps for much longer than the program runs; so the run, with
/// its descriptors, is retained by `Programs` alone.
private final class ProgramHandle: RunningProgram {
  /// `nil` while the program waits for others, and if it could not be started.
  weak var run: ProgramRun?
  /// True if it was ended before it had started.
  private(set) var isCancelled = false

  func terminate() {
    isCancelled = true
    run?.terminate()
  }
}
