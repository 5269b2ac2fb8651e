import Glibc
import Linux
import SignalGraph

/// One run of a program: its output, its errors, and its end.
final class ProgramRun: Pieceworker {
  /// How long it may take to end once it was asked to.
  private static let patience = Duration.seconds(5)
  /// How often others of its group are looked for after its own end, of which nobody tells.
  private static let leftoverInterval = Duration.milliseconds(50)
  /// The most that a pipe holds, and so the most that an ended program may have left in each.
  private static let greatestPipe = 1 << 20

  private let program: Program
  private unowned let programs: Programs
  private let receive: (ProgramEvent) -> Void
  private var child: ChildProcess
  private var errors: ErrorLines
  private var handlers: (output: PollHandler?, errors: PollHandler?, end: PollHandler?)
  /// Which of its pipes have something to read.
  private var readable = (output: false, errors: false)
  var isWaiting = false
  var isReader: Bool { program.purpose == .source }
  /// How it ended, and how much may still be read of what it has left in its pipe; others that it has started may hold
  /// that.
  private var end: (status: ProgramEnd, rest: Int)?
  /// Whether its end has been told.
  private var hasEnded = false
  /// When it is killed, once it was asked to end.
  private var lastMoment: MonotonicInstant?
  /// When it is to be looked at again.
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

  /// Whether it has ended, be it that nobody has waited for it yet.
  var isGone: Bool { child.hasEnded() }

  func terminate() {
    guard end == nil, lastMoment == nil else { return }
    endGroup(lookingAfter: Self.patience)
  }

  /// Ends it at once, and tells nobody.
  func kill() {
    hasEnded = true
    handlers = (nil, nil, nil)
    child.kill()
  }

  /// Asks all of its processes to end, and sees to it that they do.
  private func endGroup(lookingAfter delay: Duration) {
    child.signal(SIGTERM)
    // One that was stopped cannot end.
    child.signal(SIGCONT)
    let now = MonotonicInstant.now()
    if lastMoment == nil { lastMoment = now + Self.patience }
    deadline = now + delay
    programs.setTimer()
  }

  /// Ends what has not ended by itself by its last moment; others of its group are looked for until then.
  func look(at now: MonotonicInstant) {
    programs.reapOrphans()
    if end != nil, !child.hasLeftovers {
      deadline = nil
      return forgetIfOver()
    }
    if let lastMoment, now < lastMoment {
      deadline = now + Self.leftoverInterval
      return
    }
    deadline = nil
    child.signal(SIGKILL)
    forgetIfOver()
  }

  /// It is over when its end has been told and nobody of its group is waited for.
  private func forgetIfOver() {
    if hasEnded && deadline == nil { programs.forget(self) }
  }

  // MARK: Reading

  func doPiece() -> Bool {
    if hasEnded { return false }
    if readable.output, let bytes = read(child.output.transfer, &handlers.output, &readable.output) {
      receive(.output(bytes))
    }
    if readable.errors, let bytes = read(child.errors.transfer, &handlers.errors, &readable.errors) {
      errors.append(bytes)
    }
    if readable.output || readable.errors { return true }
    if let end { finish(end.status) }
    return false
  }

  /// Reads a piece, if there is one; an error stands for the end.
  private func read(_ pipe: Transfer, _ handler: inout PollHandler?, _ isReadable: inout Bool) -> [UInt8]? {
    var bytes: [UInt8]? = []
    do throws(Errno) { bytes = try pipe.read(upTo: Piecework.piece) } catch {}
    if bytes?.isEmpty == true { handler = nil }
    isReadable = bytes?.isEmpty == false && takesRest(bytes?.count ?? 0)
    return bytes?.isEmpty == false ? bytes : nil
  }

  /// Counts what is read after its end; `false` when it is more than it can have left.
  private func takesRest(_ count: Int) -> Bool {
    end?.rest -= count
    return (end?.rest ?? 1) > 0
  }

  // MARK: The end

  /// Takes note of how it ended, and has others of its group end too; what it has left in its pipes is read first.
  private func reap() {
    guard let status = endStatus() else { return }
    end = (status, 2 * Self.greatestPipe)
    handlers.end = nil
    deadline = nil
    programs.reapOrphans()
    if child.hasLeftovers { endGroup(lookingAfter: Self.leftoverInterval) }
    readable = (handlers.output != nil, handlers.errors != nil)
    programs.work.add(self)
  }

  private func finish(_ status: ProgramEnd) {
    errors.finish()
    handlers = (nil, nil, nil)
    hasEnded = true
    forgetIfOver()
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
