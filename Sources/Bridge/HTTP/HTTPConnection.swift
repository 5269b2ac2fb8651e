internal import Base
internal import ClientCore
internal import Linux

/// A request that waits for its turn, is on its way, or has ended.
final class HTTPJob {
  fileprivate let request: TransferRequest
  /// The moment after which it is not begun any more.
  fileprivate let deadline: MonotonicInstant?
  fileprivate var transfer: HTTPTransfer?
  fileprivate var isOver = false
  /// Called once at the end, unless it was cancelled before.
  fileprivate var ended: (Result<HTTPTransfer, TransferFailure>) -> Void

  init(
    _ request: TransferRequest, deadline: MonotonicInstant? = nil,
    ended: @escaping (Result<HTTPTransfer, TransferFailure>) -> Void
  ) {
    self.request = request
    self.deadline = deadline
    self.ended = ended
  }

  /// Indicates that it is on its way.
  var isRunning: Bool { transfer != nil }
}

/// An HTTP connection: up to `concurrent` transfers, and the queue before them.
///
/// The queue holds no more than the window of tasks and one request for each source.
final class HTTPConnection {
  let declaration: ConnectionDeclaration
  let settings: HTTPSettings
  let state: ConnectionState

  private let pool: HTTPTransferPool
  private let loop: EventLoop
  private var waiting = FirstInFirstOut<HTTPJob>()
  private var running = 0
  private var probe: HTTPTransfer?
  private var probeTimer: LoopTimer?
  private var backoff = Backoff(.seconds(1)...(.seconds(60)))
  /// Returns `true` while nothing may be begun.
  var isHeldUp: () -> Bool = { false }

  init(_ declaration: ConnectionDeclaration, loop: EventLoop, poller: Poller, log: Log) throws {
    self.declaration = declaration
    settings = try HTTPSettings(declaration.settings)
    state = ConnectionState(declaration.name, log: log)
    pool = try HTTPTransferPool(settings.transfer, loop: loop, poller: poller)
    self.loop = loop
  }

  // MARK: Requests

  func add(_ job: HTTPJob) {
    waiting.append(job)
    startWaiting()
  }

  /// Begins as many waiting requests as may run.
  func startWaiting() {
    while running < settings.concurrent, !isHeldUp(), let job = waiting.popFirst() {
      if !job.isOver { start(job) }
    }
  }

  /// Drops a request without a further call.
  func cancel(_ job: HTTPJob) {
    job.isOver = true
    job.ended = { _ in }
    guard let transfer = job.transfer.take() else { return }
    transfer.cancel()
    running -= 1
    // Its place is taken in the next iteration: this may be one of many.
    loop.post { [weak self] in self?.startWaiting() }
  }

  /// Drops all requests that wait.
  func dropWaiting() { waiting = FirstInFirstOut() }

  /// Opens a stream of its own, beside the requests.
  func open(_ request: TransferRequest) -> HTTPTransfer? { pool.start(request) }

  private func start(_ job: HTTPJob) {
    var request = job.request
    if let deadline = job.deadline {
      let left = deadline - .now()
      guard left > .zero else {
        return end(job, .failure(TransferFailure(.timeout, "it waited too long for its turn")))
      }
      request.timeout = min(request.timeout ?? left, left)
    }
    guard let transfer = pool.start(request) else {
      return end(job, .failure(TransferFailure(.connection, "no memory for a transfer")))
    }
    running += 1
    job.transfer = transfer
    transfer.ended = { [weak self] failure in
      guard let self else { return }
      running -= 1
      job.transfer = nil
      note(transfer, failure)
      end(job, failure.map { .failure($0) } ?? .success(transfer))
      startWaiting()
    }
  }

  private func end(_ job: HTTPJob, _ result: Result<HTTPTransfer, TransferFailure>) {
    if job.isOver { return }
    job.isOver = true
    let ended = job.ended
    job.ended = { _ in }
    ended(result)
  }

  // MARK: The state

  /// Notes how a transfer has ended, for the state of the connection.
  func note(_ transfer: HTTPTransfer, _ failure: TransferFailure?) {
    if transfer.head != nil { return noteAnswer() }
    guard let failure, [.connection, .timeout, .security].contains(failure.kind) else { return }
    state.away(settings.redacted(failure.message).visible)
    // A connection that gave no answer counts as restored only with an answer.
    if !transfer.wasConnected { probeLater() }
  }

  /// Notes that the peer answers.
  func noteAnswer() {
    backoff.reset()
    probeTimer = nil
    state.connected()
  }

  /// Finds out whether there is a connection to be had.
  func probeNow() {
    guard probe == nil else { return }
    var request = TransferRequest(url: "\(settings.origin)/")
    request.onlyConnects = true
    request.timeout = settings.timeout
    probe = pool.start(request)
    probe?.ended = { [weak self] failure in
      guard let self, let transfer = probe.take() else { return }
      if failure == nil { noteAnswer() } else { note(transfer, failure) }
    }
  }

  private func probeLater() {
    if probeTimer != nil || probe != nil { return }
    probeTimer = try? loop.addTimer { [unowned self] in
      probeTimer = nil
      if state.isAway { probeNow() }
    }
    try? probeTimer?.set(.now() + backoff.pause())
  }
}
