internal import HTTPServer
internal import JSON
internal import Linux
internal import WireProtocol

/// A request at its route: what was asked, by whom, and the ways to answer.
///
/// It may ask the daemon, on a connection of its own that ends with it; so no request has to wait for another, and a
/// client that goes takes with it what it has asked for.
final class RouteCall {
  let context: GatewayContext
  let exchange: HTTPExchange
  let grant: Grant
  /// The part of the path that stands for `{…}`.
  let name: String
  /// Called with each event of the daemon's for this request.
  var event: (ServerLine) throws(Problem) -> Void = { (_) throws(Problem) in }

  /// Called once it is answered, or its client has gone before.
  var ended: () -> Void = {}

  private var connection: DaemonConnection?
  private var waiting: [Int: Pending] = [:]

  /// A question to the daemon.
  private struct Pending {
    let answer: (ServerLine) throws(Problem) -> Void
    let refusal: (ServerLine) throws(Problem) -> Void
  }

  private var lastID = 0
  private var timer: LoopTimer?

  init(_ context: GatewayContext, _ exchange: HTTPExchange, _ grant: Grant, name: String) {
    self.context = context
    self.exchange = exchange
    self.grant = grant
    self.name = name
    exchange.abandoned = { self.close() }
  }

  var request: HTTPRequest { exchange.request }

  // MARK: Asking the daemon

  /// Asks the daemon, and takes its answer.
  ///
  /// - Parameter refusal: Takes its refusal, with which this request is answered otherwise.
  func ask(
    _ request: some WireRequest,
    orElse refusal: @escaping (ServerLine) throws(Problem) -> Void = { line throws(Problem) in throw Problem(line) },
    _ answer: @escaping (ServerLine) throws(Problem) -> Void
  ) throws(Problem) {
    let connection = try connect()
    lastID += 1
    waiting[lastID] = Pending(answer: answer, refusal: refusal)
    connection.send(request, id: lastID)
  }

  /// Goes on in another way if nothing has been answered by then.
  func after(_ time: Duration, _ work: @escaping () -> Void) {
    do throws(Errno) {
      if timer == nil { timer = try context.loop.addTimer { [unowned self] in timedOut() } }
      late = work
      try timer?.set(.now() + time)
    } catch { respond(Problem(500, ErrorCode.internal.rawValue, "\(error)")) }
  }

  private var late: () -> Void = {}

  private func timedOut() {
    let late = late
    withExtendedLifetime(self) { late() }
  }

  private func connect() throws(Problem) -> DaemonConnection {
    if let connection { return connection }
    let connection = try context.connect()
    connection.received = { self.take($0) }
    connection.closed = { self.respond(.daemonGone) }
    self.connection = connection
    after(context.patience) { self.respond(.timeout) }
    return connection
  }

  private func take(_ line: Span<UInt8>) {
    do throws(Problem) {
      let line = try ServerLine(reading: line)
      guard case .reply = line.kind else { return try event(line) }
      guard let id = line.number("id"), let pending = waiting.removeValue(forKey: id) else {
        if line.isRefusal { throw Problem(line) }
        return
      }
      if line.isRefusal { try pending.refusal(line) } else { try pending.answer(line) }
    } catch { respond(error) }
  }

  // MARK: Answering

  func respond(_ response: HTTPResponse) {
    close()
    context.respond(response, to: exchange)
  }

  func respond(_ problem: Problem) { respond(problem.response) }

  func respond(_ status: Int, _ value: JSONValue, headers: [HTTPResponse.Header] = []) {
    respond(HTTPResponse(status, type: "application/json", value.description + "\n", headers: headers))
  }

  /// Begins an answer that comes piece by piece.
  func stream(type: String) -> HTTPBodyStream {
    close()
    return context.stream(type: type, to: exchange)
  }

  private func close() {
    connection?.close()
    connection = nil
    timer = nil
    late = {}
    waiting = [:]
    event = { (_) throws(Problem) in }
    exchange.abandoned = {}
    let ended = ended
    self.ended = {}
    ended()
  }
}

extension ServerLine {
  /// A line of the daemon's, which can be relied on to be one.
  init(reading line: Span<UInt8>) throws(Problem) {
    do throws(WireError) { try self.init(line) } catch {
      throw Problem(502, ErrorCode.internal.rawValue, "the daemon's line makes no sense: \(error.message)")
    }
  }
}
