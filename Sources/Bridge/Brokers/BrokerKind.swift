internal import JSON
internal import Linux

/// A kind of brokers: sources that subscribe to topics, and messages that signals publish.
final class BrokerKind<Connection: BrokerConnection>: AdapterKind {
  let name: String
  private let loop: EventLoop
  private let poller: Poller
  private let log: Log
  private var session: DaemonSession?
  private var connections: [String: Connection] = [:]
  private var withheld: Set<String> = []
  private var declarations: [SignalRun: SignalDeclaration] = [:]
  /// Those that are taking leave of their brokers.
  private var retiring: [Connection] = []
  private var isStopping = false
  /// Ends the connections of a daemon that does not come back.
  private var farewell: LoopTimer?

  /// The time for which connections wait for a daemon.
  private static var patience: Duration { .seconds(10) }

  init(_ name: String, loop: EventLoop, poller: Poller, log: Log) {
    self.name = name
    self.loop = loop
    self.poller = poller
    self.log = log
  }

  // MARK: The daemon

  func attach(_ session: DaemonSession, _ declarations: DeclarationChange) {
    self.session = session
    farewell = nil
    for connection in connections.values { connection.attach(session) }
    change(declarations)
    for connection in connections.values {
      connection.state.tell()
      connection.connect()
      connection.resume()
    }
  }

  func detach() {
    session = nil
    declarations = [:]
    for connection in connections.values { connection.detach() }
    if connections.isEmpty { return }
    farewell = try? loop.addTimer { [unowned self] in
      for connection in connections.values { connection.close() }
      connections = [:]
    }
    try? farewell?.set(.now() + Self.patience)
  }

  func change(_ change: DeclarationChange) {
    for run in change.removed { remove(run) }
    for declaration in change.changed + change.added {
      remove(declaration.run)
      declarations[declaration.run] = declaration
    }
    let now = change.connections ?? connections.values.map(\.declaration)
    let renewed = replaceConnections(now)
    let news = Set((change.changed + change.added).map(\.run))
    for (run, declaration) in declarations where news.contains(run) || renewed.contains(declaration.connection) {
      add(declaration)
    }
    for (name, connection) in connections {
      connection.note(declarations.values.filter { $0.connection == name })
    }
    for name in renewed { connections[name]?.connect() }
  }

  func resume() { for connection in connections.values { connection.resume() } }

  func stop() {
    isStopping = true
    for connection in connections.values { connection.stop() }
  }

  var running: Int { connections.values.reduce(retiring.count) { $0 + $1.running } }

  // MARK: Connections

  /// Returns the names of those that are new, have other settings, or need a session of another kind.
  private func replaceConnections(_ now: [ConnectionDeclaration]) -> Set<String> {
    var renewed: Set<String> = []
    var kept: [String: Connection] = [:]
    let persistent = Set(declarations.values.filter { $0.settings.flag("durable") }.map(\.connection))
    for declaration in now {
      let isPersistent = persistent.contains(declaration.name)
      if let known = connections[declaration.name], known.declaration == declaration,
        known.isPersistent == isPersistent
      {
        kept[declaration.name] = known
        continue
      }
      let former = connections.removeValue(forKey: declaration.name)
      if let former { takeBack(former) }
      if declaration.isWithheld {
        former?.close()
        continue
      }
      renewed.insert(declaration.name)
      let connection = makeConnection(declaration, isPersistent)
      if let former, let connection {
        retire(former, for: connection)
        connection.replace(former)
      } else {
        former?.close()
      }
      kept[declaration.name] = connection
    }
    for (name, connection) in connections where kept[name] !== connection {
      connection.giveBack()
      retire(connection, for: nil)
    }
    connections = kept
    withheld = Set(now.filter(\.isWithheld).map(\.name))
    return renewed
  }

  /// Takes back what a connection has under way, for the one that comes in its place.
  private func takeBack(_ former: Connection) {
    former.giveBack()
    // The daemon has told positions when the sources began.
    for run in declarations.keys {
      if let position = former.position(of: run) { declarations[run]?.position = position }
    }
  }

  private func retire(_ connection: Connection, for successor: Connection?) {
    retiring.append(connection)
    // The library may be in a call for it.
    connection.retire(for: successor) { [weak self, weak connection, loop] in
      loop.post { self?.retiring.removeAll { $0 === connection } }
    }
  }

  private func makeConnection(_ declaration: ConnectionDeclaration, _ isPersistent: Bool) -> Connection? {
    do {
      let connection = try Connection(
        declaration, isPersistent: isPersistent, loop: loop, poller: poller, log: log)
      if let session { connection.attach(session) }
      return connection
    } catch {
      let reason = (error as? TaskFailure)?.message ?? "\(error)"
      log.error("connection \(declaration.name) cannot be used: \(reason)")
      session?.report(declaration.name, away: reason)
      return nil
    }
  }

  // MARK: Sources

  private func add(_ declaration: SignalDeclaration) {
    guard declaration.role == .source, let session, !isStopping, !withheld.contains(declaration.connection) else {
      return
    }
    do throws(TaskFailure) {
      guard let connection = connections[declaration.connection] else {
        throw TaskFailure("connect", "the connection \(declaration.connection) cannot be used")
      }
      try connection.add(declaration)
    } catch { session.fail(declaration.run, error) }
  }

  private func remove(_ run: SignalRun) {
    guard let declaration = declarations.removeValue(forKey: run), declaration.role == .source else { return }
    connections[declaration.connection]?.remove(run)
  }

  // MARK: Tasks

  func perform(_ task: AdapterTask) {
    guard !isStopping else { return }
    if let connection = connections[task.connection] { return connection.perform(task) }
    session?.acknowledge(task.number, .failed(.unusable(task.connection)))
  }

  func cancel(task: Int) { for connection in connections.values { connection.cancel(task) } }
}
