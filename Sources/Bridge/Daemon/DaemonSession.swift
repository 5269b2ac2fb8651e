internal import ClientCore
internal import JSON
internal import Linux
internal import WireProtocol

/// An attachment to the daemon, from the connection to its end: what kinds write there, and the replies.
final class DaemonSession {
  /// Called once with the declarations, when the daemon has taken the adapter.
  var attached: (DeclarationChange) -> Void = { _ in }
  /// Called once where the daemon refuses the adapter.
  var refused: (DaemonMessage.Refused) -> Void = { _ in }
  var declared: (DeclarationChange) -> Void = { _ in }
  var received: (AdapterTask) -> Void = { _ in }
  var cancelled: (Int) -> Void = { _ in }
  /// Called once when the connection has ended.
  var closed: () -> Void = {}
  /// Called when more may be begun than at a congestion before.
  var drained: () -> Void = {}

  private let stream: StreamConnection
  private var lines = LineBuffer()
  private let log: Log
  private var lastID = 0
  private var waiting: [Int: (ServerLine, DaemonMessage.Refused?) -> Void] = [:]
  /// The longest line that the daemon takes, in bytes.
  private var longestLine = 1 << 20
  /// The longest line of the daemon in bytes; a longer one ends the connection.
  private static let longestLine = 64 << 20
  private var isAttached = false

  init(_ stream: StreamConnection, log: Log) {
    self.stream = stream
    self.log = log
    stream.received = { [unowned self] in receive($0) }
    stream.closed = { [unowned self] in
      waiting = [:]
      closed()
    }
    stream.drained = { [unowned self] in drained() }
  }

  /// Asks to be given the declarations and the tasks of some kinds.
  ///
  /// - Parameter window: The most tasks of a connection that are not acknowledged yet; `nil` to be told the declarations
  ///   alone.
  func attach(_ kinds: [String], window: Int?) {
    ask(HelloRequest()) { [unowned self] reply, _ in
      if let limit = reply.object.nested("limits")?.integer("line"), limit > 0 { longestLine = limit }
    }
    send(DaemonLines.attach(id: nextID(), kinds: kinds, window: window)) { [unowned self] reply, refusal in
      if let refusal { return refused(refusal) }
      isAttached = window != nil
      attached(DeclarationChange(attached: reply.object))
    }
  }

  /// Ends the connection without further calls.
  func close() { stream.close() }

  // MARK: For the kinds

  var isCongested: Bool { stream.isCongested }
  var isFlushed: Bool { stream.isFlushed }

  func acknowledge(_ task: Int, _ answer: TaskAnswer) {
    let line = DaemonLines.acknowledge(task, answer)
    if line.count <= longestLine { return stream.send(line) }
    let failure = TaskFailure("too_large", "the answer is longer than a line of \(longestLine) bytes may be")
    stream.send(DaemonLines.acknowledge(task, .failed(failure)))
  }

  /// The result of a value that was sent.
  enum SendResult {
    case committed
    /// The daemon does not take this value, now or later.
    case dropped(String)
    /// The daemon does not take it now.
    case refused(String)
    /// The source runs no more, and is about to be removed.
    case ended
  }

  func send(_ run: SignalRun, _ value: SourceValue, then: @escaping (SendResult) -> Void) {
    let line = DaemonLines.send(id: nextID(), run, value)
    guard line.count <= longestLine else {
      return then(.dropped("it is longer than a line of \(longestLine) bytes may be"))
    }
    send(line) { _, refusal in
      switch refusal?.code {
      case nil: then(.committed)
      case "bad_value", "too_long", "too_deep": then(.dropped(refusal?.message ?? ""))
      case "ended", "unknown_signal", "not_an_input": then(.ended)
      default: then(.refused(refusal?.message ?? ""))
      }
    }
  }

  /// Sends a value to an input, as any client may that has the right to.
  ///
  /// - Parameter then: Called with the reason if the daemon refuses it.
  func send(_ value: JSONValue, to signal: String, then: @escaping (String?) -> Void) {
    let line = SendRequest(signal: signal, value: .value(value)).line(id: RequestID(nextID()))
    guard line.count <= longestLine else {
      return then("it is longer than a line of \(longestLine) bytes may be")
    }
    send(line) { _, refusal in then(refusal?.message) }
  }

  /// Calls an action, as any client may that has the right to.
  ///
  /// - Parameter then: Called at its end, with the reason if it failed or was refused.
  func call(_ action: String, _ value: JSONValue, then: @escaping (String?) -> Void) {
    var request = CallRequest()
    request.action = action
    request.value = .value(value)
    ask(request) { _, refusal in then(refusal?.message) }
  }

  func fail(_ run: SignalRun, _ failure: TaskFailure) { stream.send(DaemonLines.fail(run, failure)) }
  func complete(_ run: SignalRun) { stream.send(DaemonLines.complete(run)) }

  /// Reports that a source works, although it brings nothing.
  func reportWorking(_ run: SignalRun) {
    var request = ReportRequest()
    request.signal = run.signal
    request.state = .connected
    stream.send(request.line())
  }

  /// Reports that a connection is there, or that it is away and why.
  func report(_ connection: String, away reason: String?) {
    var request = ReportRequest()
    request.connection = connection
    request.state = reason == nil ? .connected : .away
    request.reason = reason
    stream.send(request.line())
  }

  /// Calls back once the daemon has read all that was sent: what it gives from then on takes that into account.
  func settle(then: @escaping () -> Void) { ask(PingRequest()) { _, _ in then() } }

  // MARK: Lines

  private func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private func ask(_ request: some WireRequest, then: @escaping (ServerLine, DaemonMessage.Refused?) -> Void) {
    send(request.line(id: RequestID(nextID())), then: then)
  }

  /// Sends a line with the last id, and handles its reply.
  private func send(_ line: [UInt8], then: @escaping (ServerLine, DaemonMessage.Refused?) -> Void) {
    waiting[lastID] = then
    stream.send(line)
  }

  private func receive(_ chunk: [UInt8]) {
    lines.append(chunk)
    while stream.isOpen, let line = lines.next() { receive(line.span) }
    if lines.count > Self.longestLine { stream.lose() }
  }

  private func receive(_ line: Span<UInt8>) {
    do throws(WireError) {
      switch try DaemonMessage(line) {
      case .declared(let change): if isAttached { declared(change) }
      case .task(let task): if isAttached { received(task) }
      case .cancel(let task): cancelled(task)
      case .reply(let id, let reply, let refusal): waiting.removeValue(forKey: id)?(reply, refusal)
      case .refusal(let refusal): log.warning("the daemon refused a line: \(refusal.message)", ("code", refusal.code))
      case .other: break
      }
    } catch { log.warning("a line of the daemon makes no sense: \(error.message)") }
  }
}
