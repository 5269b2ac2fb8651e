import JSON
import WireProtocol

/// The meaning of each line of a client: it reads the request, has the op's handler carry it out, and answers.
///
/// The handlers are extensions of this class, one file per op in `Ops`.
final class Dispatcher {
  let hub: Hub
  let turn: Turn
  let control: Control
  let clock: TurnClock
  let audit: AuditLog
  /// The users who see all counts and places, besides root and the daemon's own user (`server.access.stats`).
  var observers = Members([])
  var parser: RequestParser
  var callers = Callers()
  /// The signals that are computed from each, as they were when somebody last asked.
  var dependents: (generation: UInt64, names: [String: [String]])?
  /// Values that went to subscribers without a turn of the graphs.
  var relayedValues: UInt64 = 0

  /// The cost of looking at a signal, in bytes of answers that take as long: as one of all, and for a name that may
  /// have been meant.
  private static let costOfLook = 8
  private static let costOfSuggestion = 64

  init(hub: Hub, control: Control, audit: AuditLog, maximumDepth: Int) {
    self.hub = hub
    self.audit = audit
    self.control = control
    turn = hub.turn
    clock = turn.clock
    parser = RequestParser(maximumDepth: maximumDepth)
  }

  /// How deep a line may be nested (`limits.depth`).
  var maximumDepth: Int {
    get { parser.maximumDepth }
    set { parser.maximumDepth = newValue }
  }

  /// Carries out a line; `nil` stands for one that was too long.
  ///
  /// - Returns: `hold` for one that has to wait; its session is told when to try again.
  func carryOut(_ line: Span<UInt8>?, for session: Session) -> LineSplitter.Flow {
    do throws(Refusal) {
      guard let line else { throw Refusal(.tooLong(limit: control.lineLimit)) }
      if let send = parser.send(in: line) { return try carryOut(send, of: line, for: session) }
      turn.closeBatch()
      let request = try parser.parse(line)
      if session.isOver && !request.request.concernsOthers { return .next }
      if session.hasUntold, !request.request.isSend {
        session.waitForCommits()
        return .hold
      }
      if request.request.looksThroughSignals { session.outbox.answeredBytes += Self.costOfLook * hub.channels.count }
      return try carryOut(request, for: session)
    } catch {
      audit.note(denied: error, to: session.identity)
      if error.error.code.looksForNames {
        session.outbox.answeredBytes += Self.costOfSuggestion * min(Self.suggestions, hub.channels.count)
      }
      if session.hasUntold {
        session.answerInTurn { error.append(to: &$0) }
      } else {
        session.outbox.append { error.append(to: &$0) }
      }
      return .next
    }
  }

  private func carryOut(_ line: RequestLine, for session: Session) throws(Refusal) -> LineSplitter.Flow {
    let exchange = Exchange(session: session, id: line.id)
    var flow = LineSplitter.Flow.next
    do throws(WireError) {
      switch line.request {
      case .send(let request): flow = try send(request, exchange)
      case .hello(let request): hello(request, exchange)
      case .ping: exchange.reply(PingReply())
      case .subscribe(let request): try subscribe(request, exchange)
      case .unsubscribe(let request): try unsubscribe(request, exchange)
      case .get(let request): try get(request, exchange)
      case .list(let request): list(request, exchange)
      case .describe(let request): try describe(request, exchange)
      case .stats: stats(exchange)
      case .reload(let body): try reload(body, exchange)
      case .call(let request): try call(request, exchange)
      case .restart(let request): try restart(request, exchange)
      case .help(let request): exchange.reply(HelpReply(about: request.about))
      }
    } catch {
      audit.note(line.request, by: session.identity, failure: error)
      throw line.refusal(error)
    }
    audit.note(line.request, by: session.identity)
    return flow
  }
}

extension Request {
  /// Whether it may go on while what was sent before waits for the disk.
  fileprivate var isSend: Bool {
    if case .send = self { true } else { false }
  }

  /// Whether all signals are looked at for it.
  fileprivate var looksThroughSignals: Bool {
    switch self {
    case .list, .subscribe, .describe, .stats: true
    default: false
    }
  }
}

extension ErrorCode {
  /// Whether names were compared for it, to say which may have been meant.
  fileprivate var looksForNames: Bool { self == .unknownSignal || self == .unknownGraph || self == .unknownAction }
}

/// A request on its way to its answer.
struct Exchange {
  let session: Session
  let id: RequestID?

  var client: ClientIdentity { session.identity }

  func reply(_ reply: some Reply) {
    if session.hasUntold { return session.answerInTurn { reply.append(to: &$0, id: id) } }
    session.outbox.append { reply.append(to: &$0, id: id) }
  }

  /// Refuses what only root and the daemon's own user may do.
  func requirePrivilege(to act: String) throws(WireError) {
    if client.isPrivileged { return }
    throw WireError(.denied, "only root and the daemon's own user may \(act)")
  }
}
