import Glibc
import Linux
import SignalGraph

/// One run of a program: its output, its errors, and its end.
final class ProgramRun {
  /// How long it may take to end once it was asked to.
  private static let patience = Duration.seconds(5)
  /// How often others of its group are looked for after its own end, of which nobody tells.
  private static let leftoverInterval = Duration.milliseconds(50)
  /// How much is read at once.
  private static let portion = 65_536
  /// What a pipe holds at most, and so what an ended program may have left there.
  private static let greatestPipe = 1 << 20

  private let program: Program
  private unowned let programs: Programs
  private let receive: (ProgramEvent) -> Void
  private var child: ChildProcess
  private var errors: ErrorLines
  private var handlers: (output: PollHandler?, errors: PollHandler?, end: PollHandler?)
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
    handlers.output = try PollHandler(poller, readable: self.child.output.number) { [unowned self] in readOutput() }
    handlers.errors = try PollHandler(poller, readable: self.child.errors.number) { [unowned self] in readErrors() }
    handlers.end = try PollHandler(poller, readable: self.child.end.number) { [unowned self] in reap() }
  }

  var identifier: Int32 { child.identifier }

  func terminate() {
    guard !hasEnded, lastMoment == nil else { return }
    endGroup(lookingAfter: Self.patience)
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
    if hasEnded, !child.hasLeftovers { return programs.forget(self) }
    if let lastMoment, now < lastMoment {
      deadline = now + Self.leftoverInterval
      return
    }
    deadline = nil
    child.signal(SIGKILL)
    if hasEnded { programs.forget(self) }
  }

  // MARK: Reading

  private func readOutput() {
    guard let bytes = read(child.output.transfer) else { return }
    if bytes.isEmpty { handlers.output = nil } else { receive(.output(bytes)) }
  }

  private func readErrors() {
    guard let bytes = read(child.errors.transfer) else { return }
    if bytes.isEmpty { handlers.errors = nil } else { errors.append(bytes) }
  }

  /// What is there now; nothing at the end, which an error stands for too.
  private func read(_ pipe: Transfer) -> [UInt8]? {
    do throws(Errno) { return try pipe.read(upTo: Self.portion) } catch { return [] }
  }

  // MARK: The end

  /// Takes what it has left in its pipes, and tells how it ended; others that it has started may still hold them.
  private func reap() {
    guard let status = endStatus() else { return }
    var left = Self.greatestPipe
    while left > 0, handlers.output != nil, let bytes = read(child.output.transfer), !bytes.isEmpty {
      left -= bytes.count
      receive(.output(bytes))
    }
    readErrors()
    errors.finish()
    handlers = (nil, nil, nil)
    hasEnded = true
    deadline = nil
    programs.reapOrphans()
    if child.hasLeftovers { endGroup(lookingAfter: Self.leftoverInterval) } else { programs.forget(self) }
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
