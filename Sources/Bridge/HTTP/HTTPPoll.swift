internal import Linux

/// A source that asks again and again, and sends each answer that is a new one.
///
/// The next request waits until the daemon has taken the value of the one before.
final class HTTPPoll: HTTPSource {
  let connection: String
  private let run: SignalRun
  private let declaration: SignalDeclaration
  private var place: HTTPConnection
  private let session: DaemonSession
  private let loop: EventLoop
  private let log: Log
  private let interval: Duration
  private var validators: HTTPValidators
  private var timer: LoopTimer?
  private var due = MonotonicInstant.now()
  private var job: HTTPJob?
  private var isStopped = false
  /// True while the daemon has not answered the last value.
  private var isSending = false
  private var refusals = RefusalLog()
  /// The failure of the last poll; one that is equal to the one before is not reported again.
  private var failing: Failing?
  /// True once the daemon knows that the source works; until then it may have a failure of an earlier run.
  private var isKnownToWork = false

  private struct Failing: Equatable {
    let code: String
    let status: Int?
  }

  private static let shortest = Duration.milliseconds(100)
  private static let longest = 86_400.0 * 366

  init(_ declaration: SignalDeclaration, _ place: HTTPConnection, _ session: DaemonSession, loop: EventLoop, log: Log) {
    self.declaration = declaration
    self.place = place
    self.session = session
    self.loop = loop
    self.log = log
    run = declaration.run
    connection = declaration.connection
    interval = max(Self.shortest, .seconds(min(declaration.settings.double("every") ?? 60, Self.longest)))
    validators = HTTPValidators(position: declaration.position)
  }

  func start() {
    timer = try? loop.addTimer { [unowned self] in poll() }
    poll()
  }

  func stop() {
    isStopped = true
    timer = nil
    if let job { place.cancel(job) }
    job = nil
  }

  func resume() {}

  func move(to place: HTTPConnection) -> Bool {
    if let job = job.take() { self.place.cancel(job) }
    self.place = place
    if !isStopped, !isSending { try? timer?.set(.now()) }
    return !isStopped
  }

  private func poll() {
    guard !isStopped else { return }
    due = .now() + interval
    do throws(TaskFailure) {
      let job = HTTPJob(try request()) { [weak self] result in self?.take(result) }
      self.job = job
      place.add(job)
    } catch {
      fail(error)
      wait()
    }
  }

  private func request() throws(TaskFailure) -> TransferRequest {
    var request = try HTTPRequests.request(declaration.settings, place.settings)
    var headers = HTTPHeaders(request.headers)
    try headers.add("Accept", "application/json, text/plain;q=0.9, */*;q=0.8")
    try validators.set(on: &headers)
    request.headers = headers.fields
    return request
  }

  private func take(_ result: Result<HTTPTransfer, TransferFailure>) {
    job = nil
    switch HTTPAnswers.check(result, place.settings, isConditional: true) {
    case .failure(let failure):
      fail(failure)
      wait(atLeast: failure.after)
    case .success(let transfer):
      failing = nil
      let isKnown = isKnownToWork
      isKnownToWork = true
      guard let head = transfer.head, head.status != 304 else {
        if !isKnown { session.reportWorking(run) }
        return wait()
      }
      send(transfer.body, head)
    }
  }

  private func send(_ body: [UInt8], _ head: TransferHead) {
    let marks = HTTPValidators(head)
    let value = SourceValue(
      Body(body, contentType: head.header("content-type")), position: marks.position, details: HTTPAnswers.details(head)
    )
    isSending = true
    session.send(run, value) { [weak self] result in
      guard let self, !isStopped else { return }
      isSending = false
      switch result {
      case .committed:
        validators = marks
        refusals.clear()
      case .dropped(let reason):
        // The answer would be refused the next time as well.
        validators = marks
        log.warning("an answer for \(run.signal) is no value of it: \(reason)")
      case .ended: return
      case .refused(let reason): refusals.note(reason, of: run, log)
      }
      wait()
    }
  }

  private func fail(_ failure: TaskFailure) {
    let mark = Failing(code: failure.code, status: failure.status)
    if mark == failing { return }
    failing = mark
    isKnownToWork = false
    if declaration.settings.flag("repeat") { validators = HTTPValidators(position: nil) }
    session.fail(run, failure)
  }

  private func wait(atLeast seconds: Double? = nil) {
    guard !isStopped else { return }
    let now = MonotonicInstant.now()
    try? timer?.set(max(due, now + .milliseconds(1), now + .seconds(seconds ?? 0)))
  }
}
