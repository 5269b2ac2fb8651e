internal import JSON
internal import Linux
internal import WireProtocol

/// Subscribes and prints events until no more can come; if it is to follow, over as many connections as that
/// takes.
final class Follower {
  /// A request to subscribe that has not been answered yet.
  struct Pending {
    let subscription: Int
    let hasFrom: Bool
  }

  private let invocation: Invocation
  private let output: Output
  /// The end of the time for which it is to go on.
  private let deadline: MonotonicInstant?
  let printer: EventPrinter
  /// Whether it connects again when a connection is lost.
  let follows: Bool
  var subscriptions: [FollowedSubscription]
  /// The places of the subscriptions, by their labels.
  let places: [String: Int]
  var pending: [RequestID: Pending] = [:]
  /// The question that is answered when all that was retained has come.
  var settling: RequestID?
  var firstFailure: CommandError?

  /// Whether there was another connection before this one.
  var isRenewed = false
  /// The run of the daemon that the last connection was with.
  private(set) var epoch: String?
  private var isCutOff = false
  var backoff = Backoff()
  private var generator = SystemRandomNumberGenerator()

  convenience init(_ invocation: Invocation, _ requests: [SubscribeRequest]) {
    self.init(
      invocation, requests, follows: invocation.has("follow"), to: invocation.output,
      EventPrinter(invocation, requests), until: nil)
  }

  /// - Parameter deadline: It ends then, if it has not ended before.
  init(
    _ invocation: Invocation, _ requests: [SubscribeRequest], follows: Bool, to output: Output,
    _ printer: EventPrinter, until deadline: MonotonicInstant?
  ) {
    self.invocation = invocation
    self.output = output
    self.printer = printer
    self.deadline = deadline
    self.follows = follows
    subscriptions = requests.map { request in
      var request = request
      // A label tells which of them an event belongs to.
      if requests.count > 1 { request.subscription = request.signal.text }
      return FollowedSubscription(request, countsValues: follows)
    }
    places = Dictionary(
      subscriptions.enumerated().map { ($1.request.signal.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private var isOver: Bool { deadline.map { $0 <= .now() } ?? false }

  var isLive: Bool { subscriptions.contains { !$0.isOver } }

  func run() throws(CommandError) {
    if follows {
      while isLive, !isOver { try followOnce() }
    } else {
      try serve(try connect())
    }
    if let firstFailure { throw firstFailure }
  }

  private func connect() throws(CommandError) -> Connection {
    try Connection(path: invocation.socketPath, output: output, echoesLines: false)
  }

  private func serve(_ connection: Connection) throws(CommandError) {
    for index in subscriptions.indices { try subscribe(index, to: subscriptions[index].request, on: connection) }
    try takeLines(of: connection)
  }

  func subscribe(
    _ index: Int, to request: SubscribeRequest, on connection: Connection
  ) throws(CommandError) {
    pending[try connection.send(request)] = Pending(subscription: index, hasFrom: request.from != nil)
  }

  private func takeLines(of connection: Connection) throws(CommandError) {
    while isLive, !isOver, let line = try connection.next(until: deadline) {
      switch line.kind {
      case .reply: try takeReply(line, connection)
      case .event("next"): try takeValue(line, connection)
      case .event(let event): try takeEvent(event, line)
      }
      try output.flushIfLarge()
    }
  }

  // MARK: Connections

  /// Follows on one connection, and waits if it is lost until there may be another one.
  private func followOnce() throws(CommandError) {
    do throws(CommandError) {
      let (connection, epoch) = try greet()
      try begin(epoch, on: connection)
      try takeLines(of: connection)
    } catch {
      guard error.status == .unreachable else { throw error }
      if !isCutOff {
        isCutOff = true
        let reason = error.message ?? "the connection is lost"
        printer.warn("\(reason); trying again until it is there")
        printer.line("disconnected", ["reason": .string(reason)])
      }
      let again = MonotonicInstant.now() + backoff.pause(using: &generator)
      _ = try Waiting.wait(for: [], until: min(again, deadline ?? again))
    }
  }

  /// Connects, and asks which run of the daemon it is.
  private func greet() throws(CommandError) -> (connection: Connection, epoch: String) {
    do throws(CommandError) {
      let connection = try connect()
      return (connection, try connection.ask(HelloRequest()).string("epoch") ?? "")
    } catch {
      // A socket that is just being made may have its rights a moment later, and a daemon that is full some room.
      guard epoch != nil, [.denied, .notYet].contains(error.status) else { throw error }
      throw CommandError(.unreachable, error.message)
    }
  }

  /// Asks for everything that is still to come.
  private func begin(_ epoch: String, on connection: Connection) throws(CommandError) {
    isRenewed = self.epoch != nil
    let isRestarted = isRenewed && self.epoch != epoch
    self.epoch = epoch
    if isCutOff { printer.warn(isRestarted ? "connected again; \(storyOfRestart)" : "connected") }
    printer.line("connected", ["epoch": .string(epoch), "restarted": .bool(isRestarted)])
    isCutOff = false
    pending.removeAll()
    for index in subscriptions.indices where !subscriptions[index].isOver {
      if isRestarted { subscriptions[index].forgetNumbersOfDaemon() }
      let request = isRenewed ? subscriptions[index].renewed(in: epoch) : subscriptions[index].request
      try subscribe(index, to: request, on: connection)
    }
    settling = try connection.send(PingRequest())
  }

  private var storyOfRestart: String {
    let isWhole = subscriptions.allSatisfy { $0.isOver || $0.outlivesDaemon }
    return "the daemon was restarted" + (isWhole ? "" : ", and what came in between may be missing")
  }
}
