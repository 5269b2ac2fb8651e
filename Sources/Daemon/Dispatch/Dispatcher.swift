import JSON
import Linux
import WireProtocol
import World

/// The handling of request lines: parses a line, calls the handler of its op, and answers.
///
/// The handlers are extensions of this class, one file for each `DaemonRequest` in `Ops`.
final class Dispatcher {
  let hub: Hub
  let iteration: LoopIteration
  let control: Control
  let clock: IterationClock
  let audit: AuditLog
  let lists = ValueLists()
  let network: SystemNetwork
  /// The users whose clients may be adapters, besides root and the daemon's own user (`server.access.adapters`).
  var adapterUsers = Members([])
  /// The users that see all counts and paths, besides root and the daemon's own user (`server.access.stats`).
  var observers = Members([])
  var parser: RequestParser
  var callers = Callers()
  /// The values that expressions have refused.
  var refusals = Refusals()
  /// The downstream of each signal, cached for a generation.
  var dependents: (generation: UInt64, names: [String: [String]])?
  /// The number of values that were relayed to subscribers without a turn of the graphs.
  var relayedValues: UInt64 = 0
  /// True if the last line was relayed.
  var hasRelayed = false

  /// The cost of visiting a signal, in bytes of answers that take as long: as one of all, and for a suggestion.
  private static let costOfLook = 8
  private static let costOfSuggestion = 64

  init(hub: Hub, control: Control, audit: AuditLog, network: SystemNetwork, maximumDepth: Int) {
    self.hub = hub
    self.network = network
    hub.adapters.network = network
    self.audit = audit
    self.control = control
    iteration = hub.iteration
    clock = iteration.clock
    parser = RequestParser(maximumDepth: maximumDepth)
  }

  /// The deepest nesting of a line (`limits.depth`).
  var maximumDepth: Int {
    get { parser.maximumDepth }
    set { parser.maximumDepth = newValue }
  }

  /// Handles a line; `nil` represents one that was too long.
  ///
  /// - Returns: `hold` if the line has to wait; its session is resumed when it can be retried.
  func carryOut(_ line: Span<UInt8>?, for session: Session) -> LineSplitter.Flow {
    if session.isSending { return .hold }
    hasRelayed = false
    iteration.requests &+= 1
    do throws(Refusal) {
      guard let line else { throw Refusal(.tooLong(limit: control.lineLimit)) }
      if let send = parser.send(in: line) { return try carryOut(send, of: line, for: session) }
      iteration.closeBatch()
      let parsed = try parser.parse(line)
      let request = try parsed.executable()
      let type = type(of: request)
      if session.isOver && !type.concernsOthers { return .next }
      // A send need not wait for the replies to earlier ones.
      if session.hasPendingSends, type != SendRequest.self {
        session.waitForCommits()
        return .hold
      }
      if type.looksThroughSignals {
        session.sendBuffer.answeredBytes += Self.costOfLook * hub.channels.count
      }
      return try carryOut(request, Exchange(session: session, id: parsed.id))
    } catch {
      audit.note(denied: error, to: session.identity)
      if error.error.code.looksForNames {
        session.sendBuffer.answeredBytes += Self.costOfSuggestion * min(Self.suggestions, hub.channels.count)
      }
      if session.hasPendingSends {
        session.answerInOrder { error.append(to: &$0) }
      } else {
        session.sendBuffer.append { error.append(to: &$0) }
      }
      return .next
    }
  }

  func carryOut(_ request: some DaemonRequest, _ exchange: Exchange) throws(Refusal) -> LineSplitter.Flow {
    let flow: LineSplitter.Flow
    do throws(WireError) {
      flow = try request.carryOut(by: self, exchange)
    } catch {
      audit.note(request, by: exchange.client, failure: error)
      throw Refusal(id: exchange.id, op: type(of: request).op, error)
    }
    audit.note(request, by: exchange.client)
    return flow
  }
}

extension ErrorCode {
  /// True if names were compared to find a suggestion.
  fileprivate var looksForNames: Bool { self == .unknownSignal || self == .unknownGraph || self == .unknownAction }
}

/// A request in progress.
struct Exchange {
  let session: Session
  let id: RequestID?

  var client: ClientIdentity { session.identity }

  func reply(_ reply: some Reply) { answer { reply.append(to: &$0, id: id) } }

  /// Appends an answer, behind those that wait for their commits.
  func answer(_ write: @escaping (inout [UInt8]) -> Void) {
    if session.hasPendingSends { return session.answerInOrder(write) }
    session.sendBuffer.append(write)
  }

  /// Refuses what only root and the daemon's own user may do.
  func requirePrivilege(to act: String) throws(WireError) {
    if client.isPrivileged { return }
    throw WireError(.denied, "only root and the daemon's user may \(act)")
  }
}
