internal import ClientCore
internal import JSON
internal import Linux
internal import WireProtocol

/// The follower: subscribes and prints events until no more can arrive; with `--follow`, over any number of
/// connections.
final class Follower {
  private let invocation: Invocation
  private let output: Output
  /// The time at which it ends.
  private let deadline: MonotonicInstant?
  let printer: EventPrinter
  /// True if it reconnects when a connection is lost.
  let follows: Bool
  var subscriptions: [FollowedSubscription]
  /// The indices of the subscriptions, by label.
  let places: [String: Int]
  /// The subscriptions whose requests have not been answered yet.
  var pending: [RequestID: Int] = [:]
  /// The request that is answered after all retained values.
  var settling: RequestID?
  var firstFailure: CommandError?

  /// True if there was a connection before this one.
  var isRenewed = false
  /// The epoch of the daemon on the last connection.
  private(set) var epoch: String?
  private var isCutOff = false
  var backoff = Backoff()

  convenience init(_ invocation: Invocation, _ requests: [SubscribeRequest]) {
    self.init(
      invocation, requests, follows: invocation.has("follow"), to: invocation.output,
      EventPrinter(invocation, requests), until: nil)
  }

  /// - Parameter deadline: The time at which it ends at the latest.
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
      // The label identifies the subscription of an event.
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
    pending[try connection.send(request)] = index
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

  /// Follows on one connection and, if that is lost, waits before the next attempt.
  private func followOnce() throws(CommandError) {
    do throws(CommandError) {
      let (connection, epoch) = try greet()
      try begin(epoch, on: connection)
      try takeLines(of: connection)
    } catch {
      guard error.status == .unreachable else { throw error }
      if !isCutOff {
        isCutOff = true
        let reason = error.message ?? "connection lost"
        printer.warn("\(reason); retrying")
        printer.line("disconnected", ["reason": .string(reason)])
      }
      let again = MonotonicInstant.now() + backoff.pause()
      _ = try Waiting.wait(for: [], until: min(again, deadline ?? again))
    }
  }

  /// Connects, and requests the epoch of the daemon.
  private func greet() throws(CommandError) -> (connection: Connection, epoch: String) {
    do throws(CommandError) {
      let connection = try connect()
      return (connection, try connection.ask(HelloRequest()).string("epoch") ?? "")
    } catch {
      // A socket that is being created may get its permissions a moment later, and a full daemon may have space later.
      guard epoch != nil, [.denied, .notYet].contains(error.status) else { throw error }
      throw CommandError(.unreachable, error.message)
    }
  }

  /// Requests all remaining events.
  private func begin(_ epoch: String, on connection: Connection) throws(CommandError) {
    let former = self.epoch == epoch ? nil : self.epoch
    isRenewed = self.epoch != nil
    self.epoch = epoch
    if isCutOff { printer.warn(former.map(storyOfRestart) ?? "connected") }
    printer.line("connected", ["epoch": .string(epoch), "restarted": .bool(former != nil)])
    isCutOff = false
    pending.removeAll()
    for index in subscriptions.indices where !subscriptions[index].isOver {
      if let former { subscriptions[index].progress.discard(former) }
      subscriptions[index].progress.connect(to: epoch)
      try subscribe(index, to: subscriptions[index].resumed(), on: connection)
    }
    settling = try connection.send(PingRequest())
  }

  private func storyOfRestart(_ former: String) -> String {
    let isWhole = subscriptions.allSatisfy { $0.isOver || $0.progress.outlives(former) }
    return "reconnected; the daemon was restarted" + (isWhole ? "" : "; values in between may be missing")
  }
}
