internal import Glibc
internal import Linux

/// One run of the client program, followed until its process has ended.
final class ClientRun {
  /// How it ended, and what it put out until then.
  struct Outcome: Equatable {
    let status: Int32
    let output: [UInt8]
    /// The beginning of its standard error.
    let complaint: String
  }

  /// The reason why there is no outcome.
  enum Failure: Error {
    /// The program is nowhere to be found.
    case missing(String)
    /// As many run as may.
    case busy
    case notStarted(Errno)
    case timeout(Duration)
    /// It put out more bytes than are taken.
    case tooLong(limit: Int)
    /// It was ended by a signal from elsewhere.
    case killed(Int32)
  }

  private static let chunkSize = 64 << 10
  /// The bytes of its standard error that are kept.
  private static let mostErrors = 4 << 10

  private let limits: ClientProgram.Limits
  private var child: ChildProcess
  /// Called once; `nil` when nobody waits any more.
  private var ended: ((Result<Outcome, Failure>) -> Void)?
  /// Called when its process is gone.
  var over: (ClientRun) -> Void = { _ in }
  private var handlers: (output: PollHandler?, errors: PollHandler?, end: PollHandler?)
  private var timer: LoopTimer?
  private var output: [UInt8] = []
  private var errors: [UInt8] = []

  init(
    _ child: consuming ChildProcess, _ limits: ClientProgram.Limits, loop: EventLoop, poller: Poller,
    _ ended: @escaping (Result<Outcome, Failure>) -> Void
  ) throws(Errno) {
    self.limits = limits
    self.child = child
    self.ended = ended
    handlers.output = try PollHandler(poller, readable: self.child.output.number) { [unowned self] in readOutput() }
    handlers.errors = try PollHandler(poller, readable: self.child.errors.number) { [unowned self] in readErrors() }
    handlers.end = try PollHandler(poller, readable: self.child.end.number) { [unowned self] in reap() }
    timer = try loop.addTimer { [unowned self] in fail(.timeout(limits.time)) }
    try timer?.set(.now() + limits.time)
  }

  /// Kills it; nobody is told.
  func cancel() {
    ended = nil
    kill()
  }

  /// It is waited for on the loop: one that the system holds up does not hold up the loop.
  private func kill() {
    handlers.output = nil
    handlers.errors = nil
    timer = nil
    if handlers.end != nil { child.signal(SIGKILL) }
  }

  private func fail(_ failure: Failure) {
    let kept = self
    let tell = ended
    cancel()
    tell?(.failure(failure))
    withExtendedLifetime(kept) {}
  }

  // MARK: Reading

  private func readOutput() {
    let bytes = read(child.output.transfer)
    if bytes?.isEmpty == true { handlers.output = nil }
    output += bytes ?? []
    if output.count > limits.output { fail(.tooLong(limit: limits.output)) }
  }

  private func readErrors() {
    let bytes = read(child.errors.transfer)
    if bytes?.isEmpty == true { handlers.errors = nil }
    errors += (bytes ?? []).prefix(Self.mostErrors - errors.count)
  }

  /// A piece; `nil` if nothing is there now, none at the end, for which an error stands too.
  private func read(_ pipe: Transfer) -> [UInt8]? {
    do throws(Errno) { return try pipe.read(upTo: Self.chunkSize) } catch { return [] }
  }

  // MARK: The end

  private func reap() {
    let kept = self
    let status: ExitStatus?
    do throws(Errno) { status = try child.reap() } catch { status = .killed(0) }
    guard let status else { return }
    // All that it has left is in its pipes by now, a mebibyte at most in each.
    while handlers.output != nil, output.count <= limits.output, !isDrained(child.output.transfer, &output) {}
    while errors.count < Self.mostErrors, handlers.errors != nil, !isDrained(child.errors.transfer, &errors) {}
    handlers = (nil, nil, nil)
    timer = nil
    over(self)
    over = { _ in }
    let tell = ended
    ended = nil
    tell?(result(status))
    withExtendedLifetime(kept) {}
  }

  private func isDrained(_ pipe: Transfer, _ bytes: inout [UInt8]) -> Bool {
    guard let piece = read(pipe), !piece.isEmpty else { return true }
    bytes += piece
    return false
  }

  private func result(_ status: ExitStatus) -> Result<Outcome, Failure> {
    if output.count > limits.output { return .failure(.tooLong(limit: limits.output)) }
    switch status {
    case .exited(let status):
      let complaint = String(decoding: errors.prefix(Self.mostErrors), as: UTF8.self)
      return .success(Outcome(status: status, output: output, complaint: complaint))
    case .killed(let number): return .failure(.killed(number))
    }
  }
}
