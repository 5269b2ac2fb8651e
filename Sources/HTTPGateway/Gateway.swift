internal import HTTPServer
internal import JSON
package import Linux
internal import WireProtocol

/// The gateway: requests of HTTP on some sockets, carried out by asking the daemon as any client does.
///
/// Each folder uses those that stand below it here, and none above (`scripts/lint-layers`):
///
///     Start       sockets, tokens, the command line
///     Routes      the ways in, one a file
///     OpenAPI     the routes' description
///     Events      streams of events
///     Routing     from a request to its route, and back
///     Context     what all requests share
///     Pictures    the graphs, drawn
///     Access      who may come in, and for what
///     Programs    the client program, for what is in the daemon's folder
///     Daemon      connections with the daemon
///     Problems    refusals
package final class Gateway {
  private let context: GatewayContext
  private let origins: OriginRule
  private let attachment: PollerAttachment
  private let mostConnections: Int
  private var servers: [HTTPServer] = []

  package init(_ settings: GatewaySettings, loop: EventLoop, log: Log) throws(Errno) {
    origins = OriginRule(names: settings.hosts)
    mostConnections = settings.mostConnections
    let poller = try Poller()
    attachment = try poller.attach(to: loop)
    context = try GatewayContext(
      daemonSocket: settings.daemonSocket, doorkeeper: settings.doorkeeper,
      picture: GraphPicture(path: settings.configuration),
      past: PastExplainer(folder: settings.state, ClientProgram(loop: loop, poller: poller)), loop: loop,
      poller: poller, log: log)
    context.connections = { [unowned self] in servers.map(\.connections).reduce(0, +) }
  }

  /// Serves a socket that listens.
  package func serve(_ listener: GatewayListener) throws(Errno) {
    let needsToken = listener.needsToken
    let limits = HTTPLimits(connections: mostConnections)
    let server = try HTTPServer(on: listener.number, limits: limits, loop: context.loop, poller: context.poller) {
      [unowned self] exchange in
      handle(exchange, needsToken: needsToken, limits)
    }
    servers.append(server)
  }

  /// Ends all connections.
  package func stop() {
    for server in servers { server.stop() }
    servers = []
    context.past.stop()
  }

  private func handle(_ exchange: HTTPExchange, needsToken: Bool, _ limits: HTTPLimits) {
    do throws(Problem) {
      if exchange.hasUnclearEnd {
        throw Problem(
          400, ErrorCode.badRequest.rawValue,
          "where the body ends is unclear: one Content-Length, or Transfer-Encoding: chunked",
          headers: [("Connection", "close")])
      }
      if exchange.isBodyTooLong { throw .tooLong(limit: limits.bodyBytes) }
      if needsToken { try origins.check(exchange.request) } else { try origins.checkOrigin(exchange.request) }
      let (route, name) = try Router.find(exchange.request, among: Routes.all)
      let grant = try grant(for: exchange.request, route.access, needsToken: needsToken)
      let call = RouteCall(context, exchange, grant, name: name)
      // What it has begun ends with its refusal.
      do throws(Problem) { try route.run(call) } catch { call.respond(error) }
    } catch { context.respond(error.response, to: exchange) }
  }

  private func grant(
    for request: HTTPRequest, _ access: Route.Access, needsToken: Bool
  ) throws(Problem) -> Grant {
    switch access {
    case .granted where needsToken: return try context.doorkeeper.admit(request)
    case .granted: return .everything
    case .everybody, .signed:
      try context.doorkeeper.admitAnybody()
      return Grant()
    }
  }

  /// The version of the program.
  package static var version: String { programVersion }

  /// The requests that it takes, each with its effect.
  package static var requests: [(word: String, meaning: String)] {
    Routes.all.map { ("\($0.methods.joined(separator: ", ")) \($0.path)", $0.summary) }
  }

  /// The description of what can be asked (OpenAPI 3.1).
  package static var description: String { OpenAPIDocument.value(of: Routes.all).description + "\n" }
}
