import Glibc
import GraphEngine
import Linux

/// One run of a program: its output, its errors, and its end, which is that of its whole process group.
final class ProgramRun: CooperativeTask {
  /// The longest time between the request to end and SIGKILL.
  private static let patience = Duration.seconds(5)
  /// The interval between checks for other processes of its group after its own end, which are not reported.
  private static let leftoverInterval = Duration.milliseconds(50)
  /// The capacity of a pipe, and so the most that an ended program can have left in each, in bytes.
  private static let greatestPipe = 1 << 20

  private let program: Program
  private unowned let programs: Programs
  private let receive: (ProgramEvent) -> Void
  private var child: ChildProcess
  private var errors: ErrorLines
  private var handlers: (output: PollHandler?, errors: PollHandler?, end: PollHandler?)
  /// The pipes that are readable.
  private var readable = (output: false, errors: false)
  var isWaiting = false
  var source: String? { signal }
  /// Its exit status, and the number of bytes that may still be read from its pipe, which other processes that it has
  /// started may hold open.
  private var end: (status: ProgramEnd, rest: Int)?
  /// True once its end has been reported.
  private var hasEnded = false
  /// The time of SIGKILL, once it was asked to end.
  private var lastMoment: MonotonicInstant?
  /// The time of the next check.
  private(set) var deadline: MonotonicInstant?

  init(
    _ child: consuming ChildProcess, of program: Program, programs: Programs,
    _ receive: @escaping (ProgramEvent) -> Void
  ) throws(Errno) {
    self.program = program
    self.programs = programs
    self.receive = receive
    self.child = child
    errors = ErrorLines(of: program, log: programs.log)
    let poller = programs.poller
    handlers.output = try PollHandler(poller, readable: self.child.output.number) { [unowned self] in
      readable.output = true
      programs.work.add(self)
    }
    handlers.errors = try PollHandler(poller, readable: self.child.errors.number) { [unowned self] in
      readable.errors = true
      programs.work.add(self)
    }
    handlers.end = try PollHandler(poller, readable: self.child.end.number) { [unowned self] in reap() }
  }

  var identifier: Int32 { child.identifier }

  /// True while it or other processes of its group run after it was asked to end or has ended.
  var isEnding: Bool { !hasEnded && lastMoment != nil }
  /// The signal that the program is the source of, if any.
  var signal: String? { program.purpose == .source ? program.owner : nil }

  /// True once it has ended, even if it has not been waited for.
  var isGone: Bool { child.hasEnded() }

  func terminate() {
    guard end == nil, lastMoment == nil else { return }
    endGroup(lookingAfter: Self.patience)
  }

  /// Kills it at once, without a report.
  func kill() {
    hasEnded = true
    handlers = (nil, nil, nil)
    child.kill()
  }

  /// Sends SIGTERM to all of its processes, and schedules the checks that enforce it.
  private func endGroup(lookingAfter delay: Duration) {
    child.signal(SIGTERM)
    // A stopped process cannot end.
    child.signal(SIGCONT)
    let now = MonotonicInstant.now()
    if lastMoment == nil { lastMoment = now + Self.patience }
    deadline = now + delay
    programs.setTimer()
  }

  /// Kills what has not ended by its deadline; until then, checks for other processes of its group.
  func look(at now: MonotonicInstant) {
    programs.reapOrphans()
    if end != nil, !child.hasLeftovers { return groupIsGone() }
    if let lastMoment, now < lastMoment {
      deadline = now + Self.leftoverInterval
      return
    }
    child.signal(SIGKILL)
    // A process that cannot even be killed is not waited for.
    if end != nil { groupIsGone() } else { deadline = nil }
  }

  /// Reports its end, after the remaining output of its group has been read.
  private func groupIsGone() {
    deadline = nil
    readRest()
  }

  // MARK: Reading

  func runSlice() -> Bool {
    if hasEnded { return false }
    if readable.output, let bytes = read(child.output.transfer, &handlers.output, &readable.output) {
      receive(.output(bytes))
    }
    if readable.errors, let bytes = read(child.errors.transfer, &handlers.errors, &readable.errors) {
      errors.append(bytes)
    }
    if readable.output || readable.errors { return true }
    if let end, deadline == nil { finish(end.status) }
    return false
  }

  /// Reads a slice, if there is one; an error counts as the end.
  private func read(_ pipe: Transfer, _ handler: inout PollHandler?, _ isReadable: inout Bool) -> [UInt8]? {
    var bytes: [UInt8]? = []
    do throws(Errno) { bytes = try pipe.read(upTo: CooperativeTasks.piece) } catch {}
    if bytes?.isEmpty == true { handler = nil }
    isReadable = bytes?.isEmpty == false && takesRest(bytes?.count ?? 0)
    // Other processes of its group may print without end until they are gone.
    if let end, end.rest <= 0 { handler = nil }
    return bytes?.isEmpty == false ? bytes : nil
  }

  /// Counts what is read after its end; `false` once it is more than the pipe can have held.
  private func takesRest(_ count: Int) -> Bool {
    end?.rest -= count
    return (end?.rest ?? 1) > 0
  }

  // MARK: End

  /// Records its exit status and ends other processes of its group; its remaining output is read first.
  private func reap() {
    guard let status = endStatus() else { return }
    end = (status, 2 * Self.greatestPipe)
    handlers.end = nil
    deadline = nil
    programs.reapOrphans()
    if child.hasLeftovers { endGroup(lookingAfter: Self.leftoverInterval) }
    readRest()
  }

  private func readRest() {
    readable = (handlers.output != nil, handlers.errors != nil)
    programs.work.add(self)
  }

  private func finish(_ status: ProgramEnd) {
    errors.finish()
    handlers = (nil, nil, nil)
    hasEnded = true
    programs.remove(self)
    receive(.ended(status))
  }

  private func endStatus() -> ProgramEnd? {
    do throws(Errno) {
      switch try child.reap() {
      case nil: return nil
      case .exited(let status): return .exited(status)
      case .killed(let number): return .killed(number)
      }
    } catch {
      return .notStarted(error.description)
    }
  }
}
