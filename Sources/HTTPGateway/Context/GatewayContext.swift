internal import HTTPServer
internal import Linux

/// The things that all requests share: the loop, the way to the daemon, who may come in, and what is counted.
final class GatewayContext {
  let loop: EventLoop
  let poller: Poller
  let log: Log
  let doorkeeper: Doorkeeper
  let picture: GraphPicture
  let past: PastExplainer
  /// How long the daemon may take with an answer.
  let patience = Duration.seconds(30)
  private(set) var counts = GatewayCounts()
  /// The number of connections with clients, as the servers have them.
  var connections: () -> Int = { 0 }
  /// What all pages look at together.
  private(set) lazy var view = ViewFeed(self)
  /// The path of the daemon's socket.
  private let daemonSocket: String
  private var heartbeat: LoopTimer?
  private var streams: [ObjectIdentifier: any HeartbeatStream] = [:]

  /// The time after which a quiet stream says that it is there.
  private static let heartbeatInterval = Duration.seconds(15)

  init(
    daemonSocket: String, doorkeeper: Doorkeeper, picture: GraphPicture, past: PastExplainer, loop: EventLoop,
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

  /// A new connection with the daemon.
  func connect() throws(Problem) -> DaemonConnection {
    do throws(Errno) { return try DaemonConnection(path: daemonSocket, poller: poller) } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Answers

  func respond(_ response: HTTPResponse, to exchange: HTTPExchange) {
    counts.answer(response.status)
    var response = response
    response.headers = Self.completed(response.headers)
    exchange.respond(response)
  }

  func stream(type: String, to exchange: HTTPExchange) -> HTTPBodyStream {
    counts.answer(200)
    // A proxy in between that gathers what it passes on would hold events back.
    return exchange.stream(
      200, headers: Self.completed([("Content-Type", type), ("X-Accel-Buffering", "no")]))
  }

  private static func completed(_ headers: [HTTPResponse.Header]) -> [HTTPResponse.Header] {
    let names = Set(headers.map { $0.name.lowercased() })
    return headers
      + [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")]
      .filter { !names.contains($0.0.lowercased()) }
  }

  // MARK: Streams

  /// Keeps a stream, and has it say that it is there.
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
