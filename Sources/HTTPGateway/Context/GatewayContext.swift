internal import Linux

/// The state that all requests share: the loop, the connection to the daemon, access control and counters.
final class GatewayContext {
  let loop: EventLoop
  let poller: Poller
  let log: Log
  let doorkeeper: Doorkeeper
  let picture: GraphPicture
  let past: PastReader
  /// The limits on bodies.
  let bodies = BodyLimits()
  /// The longest time for an answer of the daemon.
  let patience = Duration.seconds(30)
  private(set) var counts = GatewayCounts()
  /// The origins whose pages may send requests.
  var origins = AllowedOrigins()
  /// The folder with pages of one's own.
  var pages: StaticFolder?
  /// Returns the number of client connections of all servers.
  var connections: () -> Int = { 0 }
  /// The feed that all pages share.
  private(set) lazy var view = ViewFeed(self)
  /// The path of the daemon's socket.
  private let daemonSocket: String
  private var heartbeat: LoopTimer?
  private var streams: [ObjectIdentifier: any HeartbeatStream] = [:]

  /// The interval of heartbeats on a quiet stream.
  private static let heartbeatInterval = Duration.seconds(15)

  init(
    daemonSocket: String, doorkeeper: Doorkeeper, picture: GraphPicture, past: PastReader, loop: EventLoop,
    poller: Poller, log: Log
  ) throws(Errno) {
    self.daemonSocket = daemonSocket
    self.doorkeeper = doorkeeper
    self.picture = picture
    self.past = past
    self.loop = loop
    self.poller = poller
    self.log = log
    heartbeat = try loop.addTimer { [unowned self] in beat() }
  }

  /// Opens a new connection to the daemon.
  func connect() throws(Problem) -> DaemonConnection {
    do throws(Errno) { return try DaemonConnection(path: daemonSocket, loop: loop, poller: poller) } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Responses

  func respond(_ response: HTTPResponse, to exchange: HTTPExchange) {
    counts.answer(response.status)
    var response = response
    response.headers = Self.completed(response.headers) + origins.headers(for: exchange.request)
    exchange.respond(response)
  }

  func stream(type: String, to exchange: HTTPExchange) -> HTTPBodyStream {
    counts.answer(200)
    // A buffering proxy would delay events.
    return exchange.stream(
      200,
      headers: Self.completed([("Content-Type", type), ("X-Accel-Buffering", "no")])
        + origins.headers(for: exchange.request))
  }

  private static func completed(_ headers: [HTTPResponse.Header]) -> [HTTPResponse.Header] {
    let names = Set(headers.map { $0.name.lowercased() })
    return headers
      + [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")]
      .filter { !names.contains($0.0.lowercased()) }
  }

  // MARK: Streams

  /// Adds a stream, which gets heartbeats.
  func add(_ stream: any HeartbeatStream) {
    if streams.isEmpty { try? heartbeat?.set(.now() + Self.heartbeatInterval) }
    streams[ObjectIdentifier(stream)] = stream
    counts.streams = streams.count
  }

  func remove(_ stream: any HeartbeatStream) {
    streams[ObjectIdentifier(stream)] = nil
    counts.streams = streams.count
  }

  private func beat() {
    for stream in streams.values { stream.beat() }
    try? heartbeat?.set(streams.isEmpty ? nil : .now() + Self.heartbeatInterval)
  }
}
