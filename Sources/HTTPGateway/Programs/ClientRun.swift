internal import Glibc
internal import Linux

/// One run of the client program, until its process has ended.
final class ClientRun {
  /// The exit status and the output of a run.
  struct Outcome: Equatable {
    let status: Int32
    let output: [UInt8]
    /// The beginning of its standard error.
    let complaint: String
  }

  /// The reason for a missing outcome.
  enum Failure: Error {
    /// The program was not found.
    case missing(String)
    /// The limit on runs is reached.
    case busy
    case notStarted(Errno)
    case timeout(Duration)
    /// The output exceeds the limit.
    case tooLong(limit: Int)
    /// The process was killed by an external signal.
    case killed(Int32)
  }

  private static let chunkSize = 64 << 10
  /// The most bytes of its standard error to keep.
  private static let mostErrors = 4 << 10

  private let limits: ClientProgram.Limits
  private var child: ChildProcess
  /// Called once; `nil` after a cancellation.
  private var ended: ((Result<Outcome, Failure>) -> Void)?
  /// Called when its process has ended.
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

  /// Kills it without reporting an outcome.
  func cancel() {
    ended = nil
    kill()
  }

  /// The loop waits for the process, so that one that is slow to end does not block.
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

  /// Reads a chunk; `nil` if nothing is available now, empty at the end or after an error.
  private func read(_ pipe: Transfer) -> [UInt8]? {
    do throws(Errno) { return try pipe.read(upTo: Self.chunkSize) } catch { return [] }
  }

  // MARK: End

  private func reap() {
    let kept = self
    let status: ExitStatus?
    do throws(Errno) { status = try child.reap() } catch { status = .killed(0) }
    guard let status else { return }
    // All its remaining output is in the pipes by now, at most a mebibyte in each.
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
