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

  private let link: DaemonLink
  private let log: Log
  private var lastID = 0
  private var waiting: [Int: (ServerLine, DaemonMessage.Refused?) -> Void] = [:]
  /// The longest line that the daemon takes, in bytes.
  private var longestLine = 1 << 20
  private var isAttached = false

  init(_ link: DaemonLink, log: Log) {
    self.link = link
    self.log = log
    link.received = { [unowned self] line in receive(line) }
    link.closed = { [unowned self] in
      waiting = [:]
      closed()
    }
    link.drained = { [unowned self] in drained() }
  }

  /// Asks to be given the declarations and the tasks of some kinds.
  ///
  /// - Parameter window: The most tasks of a connection that are not acknowledged yet; `nil` to be told the declarations
  ///   alone.
  func attach(_ kinds: [String], window: Int?) {
    ask {
      DaemonLines.hello(id: $0)
    } then: { [unowned self] reply, _ in
      if let limit = reply.object.nested("limits")?.integer("line"), limit > 0 { longestLine = limit }
    }
    ask {
      DaemonLines.attach(id: $0, kinds: kinds, window: window)
    } then: { [unowned self] reply, refusal in
      if let refusal { return refused(refusal) }
      isAttached = window != nil
      attached(DeclarationChange(attached: reply.object))
    }
  }

  /// Ends the connection without further calls.
  func close() { link.close() }

  // MARK: For the kinds

  var isCongested: Bool { link.isCongested }
  var isFlushed: Bool { link.isFlushed }

  func acknowledge(_ task: Int, _ answer: TaskAnswer) {
    let line = DaemonLines.acknowledge(task, answer)
    if line.count <= longestLine { return link.send(line) }
    let failure = TaskFailure("too_large", "the answer is longer than a line of \(longestLine) bytes may be")
    link.send(DaemonLines.acknowledge(task, .failed(failure)))
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
    let id = nextID()
    let line = DaemonLines.send(id: id, run, value)
    guard line.count <= longestLine else {
      return then(.dropped("it is longer than a line of \(longestLine) bytes may be"))
    }
    waiting[id] = { _, refusal in
      switch refusal?.code {
      case nil: then(.committed)
      case "bad_value", "too_long", "too_deep": then(.dropped(refusal?.message ?? ""))
      case "ended", "unknown_signal", "not_an_input": then(.ended)
      default: then(.refused(refusal?.message ?? ""))
      }
    }
    link.send(line)
  }

  /// Sends a value to an input, as any client may that has the right to.
  ///
  /// - Parameter then: Called with the reason if the daemon refuses it.
  func send(_ value: JSONValue, to signal: String, then: @escaping (String?) -> Void) {
    let id = nextID()
    let line = DaemonLines.send(id: id, value, to: signal)
    guard line.count <= longestLine else {
      return then("it is longer than a line of \(longestLine) bytes may be")
    }
    waiting[id] = { _, refusal in then(refusal?.message) }
    link.send(line)
  }

  /// Calls an action, as any client may that has the right to.
  ///
  /// - Parameter then: Called at its end, with the reason if it failed or was refused.
  func call(_ action: String, _ value: JSONValue, then: @escaping (String?) -> Void) {
    ask {
      DaemonLines.call(id: $0, action, value)
    } then: { _, refusal in
      then(refusal?.message)
    }
  }

  func fail(_ run: SignalRun, _ failure: TaskFailure) { link.send(DaemonLines.fail(run, failure)) }
  /// Reports that a source works, although it brings nothing.
  func reportWorking(_ run: SignalRun) { link.send(DaemonLines.report(run)) }
  func complete(_ run: SignalRun) { link.send(DaemonLines.complete(run)) }

  /// Reports that a connection is there, or that it is away and why.
  func report(_ connection: String, away reason: String?) { link.send(DaemonLines.report(connection, away: reason)) }

  /// Calls back once the daemon has read all that was sent: what it gives from then on takes that into account.
  func settle(then: @escaping () -> Void) {
    ask {
      DaemonLines.ping(id: $0)
    } then: { _, _ in
      then()
    }
  }

  // MARK: Lines

  private func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private func ask(_ line: (Int) -> [UInt8], then: @escaping (ServerLine, DaemonMessage.Refused?) -> Void) {
    let id = nextID()
    waiting[id] = then
    link.send(line(id))
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
