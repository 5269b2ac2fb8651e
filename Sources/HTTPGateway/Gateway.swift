internal import JSON
internal import Linux
internal import WireProtocol

/// The HTTP gateway: handles requests on its sockets as an ordinary client of the daemon.
///
/// Each folder uses those below it in this list, and none above (`scripts/lint-layers`):
///
///     Start       sockets, tokens, the command line
///     Routes      the routes, one in each file
///     OpenAPI     the routes' description
///     Events      event streams
///     Routing     from a request to its route, and back
///     Context     the state that all requests share
///     Pictures    the graphs, drawn
///     Access      access control
///     Programs    the client program, for what is in the daemon's folder
///     Daemon      connections to the daemon
///     Problems    refusals
final class Gateway {
  private let context: GatewayContext
  private let origins: OriginRule
  private let attachment: PollerAttachment
  private let mostConnections: Int
  private var servers: [HTTPServer] = []

  init(_ settings: GatewaySettings, loop: EventLoop, log: Log) throws(Errno) {
    origins = OriginRule(names: settings.hosts, allowed: settings.origins)
    mostConnections = settings.mostConnections
    settings.doorkeeper.mostRequests = settings.mostTokenRequests ?? max(1, settings.mostConnections / 3)
    let poller = try Poller()
    attachment = try poller.attach(to: loop)
    context = try GatewayContext(
      daemonSocket: settings.daemonSocket, doorkeeper: settings.doorkeeper,
      picture: GraphPicture(path: settings.configuration),
      past: PastReader(folder: settings.state, ClientProgram(loop: loop, poller: poller)), loop: loop,
      poller: poller, log: log)
    context.origins = settings.origins
    context.pages = settings.pages.map(StaticFolder.init)
    context.connections = { [weak self] in self?.servers.map(\.connections).reduce(0, +) ?? 0 }
  }

  /// Serves a listening socket.
  func serve(_ listener: GatewayListener) throws(Errno) {
    let needsToken = listener.needsToken
    let limits = HTTPLimits(connections: mostConnections)
    let server = try HTTPServer(on: listener.number, limits: limits, loop: context.loop, poller: context.poller) {
      [weak self] exchange in
      self?.handle(exchange, needsToken: needsToken)
    }
    server.pool = context.bodies.pool
    server.longestBody = { [weak self] request in
      self?.longestBody(of: request, needsToken: needsToken) ?? limits.bodyBytes
    }
    context.bodies.refresh(context.connect)
    servers.append(server)
  }

  /// Closes all connections.
  func stop() {
    for server in servers { server.stop() }
    servers = []
    context.past.stop()
  }

  private func handle(_ exchange: HTTPExchange, needsToken: Bool) {
    do throws(Problem) {
      if exchange.hasUnclearEnd {
        throw Problem(
          400, ErrorCode.badRequest.rawValue,
          "ambiguous body length: use one Content-Length, or Transfer-Encoding: chunked",
          headers: [("Connection", "close")])
      }
      if exchange.request.hasNUL {
        throw Problem(
          400, ErrorCode.badRequest.rawValue, "the path or the query contains %00, which is part of no name or value")
      }
      try checkBody(of: exchange, needsToken: needsToken)
      if needsToken { try origins.check(exchange.request) } else { try origins.checkOrigin(exchange.request) }
      if let answer = origins.allowed.preflight(exchange.request) {
        try context.doorkeeper.admitWithoutToken()
        return context.respond(answer, to: exchange)
      }
      let (route, name) = try Router.find(exchange.request, among: Routes.all)
      let grant = try grant(for: exchange.request, route.access, needsToken: needsToken)
      let doorkeeper = context.doorkeeper
      try doorkeeper.begin(grant)
      exchange.ended = { doorkeeper.end(grant) }
      let call = RouteCall(context, exchange, grant, name: name)
      // Requests to the daemon end with the refusal.
      do throws(Problem) { try route.run(call) } catch { call.respond(error) }
    } catch { context.respond(error.response, to: exchange) }
  }

  /// Returns the longest body to accept: the daemon's limit for authorised requests and for existing hooks.
  private func longestBody(of request: HTTPRequest, needsToken: Bool) -> Int {
    context.bodies.refresh(context.connect)
    guard let (route, name) = try? Router.find(request, among: Routes.all) else { return BodyLimits.least }
    let isKnown =
      switch route.access {
      case .granted: !needsToken || context.doorkeeper.knows(request)
      case .signed: context.doorkeeper.hook(name) != nil
      case .open: false
      }
    return isKnown ? context.bodies.longest : BodyLimits.least
  }

  private func checkBody(of exchange: HTTPExchange, needsToken: Bool) throws(Problem) {
    let coding = exchange.request.header("Content-Encoding")?.lowercased().filter { $0 != " " } ?? ""
    if !["", "identity"].contains(coding) { throw .unsupported(coding: coding) }
    if exchange.isTooLong { throw .tooLong(limit: longestBody(of: exchange.request, needsToken: needsToken)) }
    if exchange.isCrowdedOut { throw .crowded }
  }

  private func grant(
    for request: HTTPRequest, _ access: Route.Access, needsToken: Bool
  ) throws(Problem) -> Grant {
    switch access {
    case .granted where needsToken: return try context.doorkeeper.admit(request)
    case .granted: return .everything
    case .open, .signed:
      try context.doorkeeper.admitWithoutToken()
      return Grant()
    }
  }

  /// The OpenAPI 3.1 description of the routes.
  static var description: String { OpenAPIDocument.value(of: Routes.all).description + "\n" }
}
