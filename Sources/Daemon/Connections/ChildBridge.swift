import Glibc
import Linux
import WireProtocol
import World

/// The bundled adapter, `signalbox-bridge`, as a child process at one end of a socket pair.
///
/// It runs while there are connections of its kinds that no other adapter serves. One that ends is started again after a
/// pause, which grows.
final class ChildBridge {
  /// The first and the longest pause before it is started again.
  private static let pauses = Duration.seconds(1)...Duration.seconds(60)
  /// The time after which a run counts as a good one.
  private static let goodRun = Duration.seconds(60)

  private let connections: Connections
  private let log: Log
  private var child: Run?
  private var timer: IterationTimer?
  private var pause = pauses.lowerBound
  private var isOver = false

  /// One run of the program.
  private final class Run {
    let process: BridgeProcess
    let start: MonotonicInstant
    /// The session of its connection.
    weak var session: Session?
    var ending: PollHandler?

    init(_ connections: Connections, log: Log) throws(Errno) {
      start = connections.clock.now
      let (own, other) = try UnixSocket.pair().take()
      let socket = OwnedDescriptor(owning: own)
      let passed = OwnedDescriptor(owning: other)
      try socket.setBlocking(false)
      process = try BridgeProcess(
        "signalbox-bridge", passing: passed, variable: "SIGNALBOX_SOCKET_FD", poller: connections.poller, log: log)
      session = try connections.openOwn(socket)
    }
  }

  init(_ connections: Connections, log: Log) {
    self.connections = connections
    self.log = log
  }

  /// The session of its connection, while it runs.
  var session: Session? { child?.session }

  /// Starts it, if there is something for it to do; and once more where it has attached and others have left kinds to it.
  func update() {
    guard timer == nil, !isOver, connections.dispatcher.network.needsBundledAdapter else { return }
    if let session, connections.dispatcher.hub.adapters[session] != nil { return evict() }
    guard child == nil else { return }
    do throws(Errno) { try start() } catch {
      log.error("signalbox-bridge cannot be started: \(error)")
      startLater()
    }
  }

  private func start() throws(Errno) {
    let run = try Run(connections, log: log)
    run.ending = try PollHandler(connections.poller, readable: run.process.end) { [unowned self, unowned run] in
      ended(run)
    }
    child = run
  }

  private func ended(_ run: Run) {
    guard let status = run.process.reap() else { return }
    run.process.finishMessages()
    run.ending = nil
    child = nil
    if isOver { return }
    if connections.clock.now - run.start >= Self.goodRun { pause = Self.pauses.lowerBound }
    switch status {
    case .exited(let status): log.warning("signalbox-bridge ended with status \(status)")
    case .killed(let number): log.warning("signalbox-bridge was ended by signal \(number)")
    }
    startLater()
  }

  private func startLater() {
    timer = connections.clock.schedule(after: pause) { [weak self] in
      self?.timer = nil
      self?.update()
    }
    pause = min(pause * 2, Self.pauses.upperBound)
  }

  /// Ends it, and starts it again for the kinds that other adapters leave to it.
  func evict() {
    guard let run = child else { return }
    run.session.map { connections.dispatcher.hub.adapters.remove($0) }
    stop()
    pause = Self.pauses.lowerBound
    startLater()
  }

  /// Ends it; it is not started again.
  ///
  /// - Parameter grace: The time in which it may remove what it has left at the peers of connections that are gone.
  func end(after grace: Duration = .zero) {
    isOver = true
    if let timer { connections.clock.cancel(timer) }
    timer = nil
    if grace == .zero { return stop() }
    _ = connections.clock.schedule(after: grace) { [self] in stop() }
  }

  private func stop() {
    guard let run = child else { return }
    child = nil
    run.ending = nil
    // Nothing is lost: its unacknowledged tasks go to the next adapter.
    run.process.kill()
  }
}

extension Connections {
  /// Adds a connection of the daemon's own user.
  func openOwn(_ socket: consuming OwnedDescriptor) throws(Errno) -> Session {
    let credentials = try PeerCredentials(of: socket.number)
    let account = ledger.account(ofUser: credentials.userID)
    let session = Session(credentials, account: account, limits: ledger.limits, hub: dispatcher.hub)
    try open(socket, session: session, account: account)
    return session
  }
}
