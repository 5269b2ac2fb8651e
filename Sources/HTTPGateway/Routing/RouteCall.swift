internal import JSON
internal import Linux
internal import WireProtocol

/// A request at its route, with the rights of its client and the means to respond.
///
/// Its requests to the daemon use a connection of its own that closes with it, so requests do not wait for each other,
/// and a client that disconnects cancels its requests.
final class RouteCall {
  let context: GatewayContext
  let exchange: HTTPExchange
  let grant: Grant
  /// The segment of the path that `{…}` matched.
  let name: String
  /// Called with each event from the daemon for this request.
  var event: (ServerLine) throws(Problem) -> Void = { (_) throws(Problem) in }

  /// Called once, after the response or when its client has disconnected before.
  var ended: () -> Void = {}

  private var connection: DaemonConnection?
  private var waiting: [Int: Pending] = [:]

  /// A request to the daemon.
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

  // MARK: Requests to the daemon

  /// Sends a request to the daemon and handles its answer.
  ///
  /// - Parameter refusal: Handles a refusal; by default it becomes the response.
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

  /// Calls `work` after a time, unless there has been a response by then; it replaces what was to be called before.
  func after(_ time: Duration, _ work: @escaping () -> Void) {
    do throws(Errno) {
      if timer == nil { timer = try context.loop.addTimer { [unowned self] in timedOut() } }
      timeout = work
      try timer?.set(.now() + time)
    } catch { respond(Problem(500, ErrorCode.internal.rawValue, "\(error)")) }
  }

  /// Called when the timer fires.
  private var timeout: () -> Void = {}

  private func timedOut() {
    let timeout = timeout
    withExtendedLifetime(self) { timeout() }
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

  // MARK: Responses

  func respond(_ response: HTTPResponse) {
    close()
    context.respond(response, to: exchange)
  }

  func respond(_ problem: Problem) { respond(problem.response) }

  func respond(_ status: Int, _ value: JSONValue, headers: [HTTPResponse.Header] = []) {
    respond(HTTPResponse(status, type: "application/json", value.description + "\n", headers: headers))
  }

  /// Begins a streamed response.
  func stream(type: String) -> HTTPBodyStream {
    close()
    return context.stream(type: type, to: exchange)
  }

  private func close() {
    connection?.close()
    connection = nil
    timer = nil
    timeout = {}
    waiting = [:]
    event = { (_) throws(Problem) in }
    exchange.abandoned = {}
    let ended = ended
    self.ended = {}
    ended()
  }
}

extension ServerLine {
  /// Parses a line from the daemon; an invalid one is an internal error.
  init(reading line: Span<UInt8>) throws(Problem) {
    do throws(WireError) { try self.init(line) } catch {
      throw Problem(502, ErrorCode.internal.rawValue, "invalid response from daemon: \(error.message)")
    }
  }
}
