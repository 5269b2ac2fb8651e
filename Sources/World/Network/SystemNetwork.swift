import Base
package import GraphEngine
package import GraphModel
package import JSON
import Linux
package import Signals

/// The peers on the network as graphs see them: gives the work of signals and actions to attached adapters.
///
/// Tasks wait here until an adapter takes them; the graphs' calls under way bound their number. When an
/// adapter disconnects, the tasks that it has not acknowledged go to the next one.
package final class SystemNetwork: NetworkWorld {
  let loop: EventLoop
  let log: Log
  /// True if nothing may reach a peer: tasks are taken for done.
  let isDryRun: Bool
  /// The path of the daemon's socket.
  private let socket: String?
  /// Called before answers that come between two iterations.
  package var begin: () -> Void = {}
  /// Returns the payload that the topic of a publication has at present, if it has one.
  package var presentPayload: (_ signal: String, _ place: Int) -> String? = { _, _ in nil }
  /// Called at each change of a connection's state.
  package var onState: (JSONObject) -> Void = { _ in }
  var connections: [NetworkConnection] = []
  private var actions: [NetworkAction] = []
  private var sources = FollowedSources()
  var adapters: [AttachedAdapter] = []
  /// The number of the last task that was given.
  package internal(set) var lastNumber: UInt64 = 0
  /// True if adapters have to be notified of changed declarations.
  var isStale = false
  var handedOver = HandedOverTasks()
  var isClosed = false

  init(loop: EventLoop, log: Log, socket: String?, isDryRun: Bool) {
    self.loop = loop
    self.log = log
    self.socket = socket
    self.isDryRun = isDryRun
  }

  /// Gives up all work: the graphs are gone.
  func close() {
    isClosed = true
    begin = {}
    onState = { _ in }
    presentPayload = { _, _ in nil }
  }

  package var isUsed: Bool { !connections.isEmpty }

  /// True if a connection of a bundled kind has no adapter.
  package var needsBundledAdapter: Bool { hasBundledKind { adapter(for: $0) == nil } }

  /// True if a connection has one of the bundled kinds, and this kind satisfies a condition.
  package func hasBundledKind(where holds: (PeerKind) -> Bool) -> Bool {
    connections.contains { PeerKind.bundled.contains($0.settings.kind) && holds($0.settings.kind) }
  }

  /// The kinds that adapters can serve: the bundled ones, and those that the configuration names.
  package var kinds: [PeerKind] {
    connections.map(\.settings.kind).reduce(into: PeerKind.bundled) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }
  }

  /// Returns a text without the secrets of all connections.
  package func withoutSecrets(_ text: String) -> String {
    connections.reduce(text) { $1.settings.withoutSecrets($0) }
  }

  package func connection(named name: String) -> NetworkConnection? { connections.first { $0.name == name } }

  package func connection(ofAction name: String) -> NetworkConnection? {
    actions.first { $0.name == name }.flatMap { connection(named: $0.connection) }
  }

  /// The states and counts of all connections, by their names.
  package var statistics: JSONObject? {
    if connections.isEmpty { return nil }
    var members = JSONObject()
    for connection in connections { members[connection.name] = connection.statistics }
    return members
  }

  /// The greatest length of an adapter's line: a body may take twice its size as a string, and has details beside it.
  package var longestLine: Int { 2 * (connections.map(\.settings.bodyLimit).max() ?? 0) + (64 << 10) }

  // MARK: Configuration

  /// Applies the connections and actions of a configuration.
  func apply(_ configuration: Configuration) {
    let declared = configuration.adapterConnections
    if declared.isEmpty, connections.isEmpty { return }
    let former = Dictionary(uniqueKeysWithValues: connections.map { ($0.name, $0) })
    connections = declared.map { settings in
      guard let connection = former[settings.name], connection.settings.kind == settings.kind else {
        let connection = NetworkConnection(settings)
        if adapter(for: settings.kind) != nil {
          _ = connection.set(connected: false, reason: NetworkConnection.noReport)
        }
        return connection
      }
      if connection.settings != settings {
        connection.apply(settings)
        if adapter(for: settings.kind) != nil { set(connection, connected: false, NetworkConnection.noReport) }
      }
      return connection
    }
    for (name, connection) in former where connections.allSatisfy({ $0 !== connection }) {
      while let task = connection.waiting.popFirst() { refuse(task, "the connection \"\(name)\" is gone") }
      for adapter in adapters {
        for task in adapter.given.values where task.task.connection == name {
          withdraw(task)
          refuse(task, "the connection \"\(name)\" is gone")
        }
      }
    }
    actions = configuration.networkActions
    isStale = true
    for kind in kinds { giveTasks(of: kind) }
  }

  /// Withholds connections from adapters for the given reasons, and no others.
  package func withhold(_ reasons: [String: String]) {
    for connection in connections where connection.withheld != reasons[connection.name] {
      connection.withheld = reasons[connection.name]
      let isServed = adapter(for: connection.settings.kind) != nil
      set(connection, connected: false, isServed ? NetworkConnection.noReport : NetworkConnection.noAdapter)
      isStale = true
    }
  }

  // MARK: Adapters

  package func adapter(for kind: PeerKind) -> AttachedAdapter? { adapters.first { $0.kinds.contains(kind) } }

  /// Attaches an adapter and returns the reply to it.
  package func attach(_ adapter: AttachedAdapter) -> (connections: [JSONValue], declarations: [JSONValue]) {
    adapters.append(adapter)
    _ = adapter.adopt(declaredConnections(of: adapter.kinds), declarations(of: adapter.kinds))
    for connection in connections where adapter.kinds.contains(connection.settings.kind) {
      set(connection, connected: false, NetworkConnection.noReport)
    }
    return declared(of: adapter.kinds)
  }

  /// The connections of some kinds, and what is declared of them.
  package func declared(of kinds: Set<PeerKind>) -> (connections: [JSONValue], declarations: [JSONValue]) {
    (declaredConnections(of: kinds), declarations(of: kinds).map(\.whole))
  }

  /// Gives an adapter, once it knows the declarations, the tasks that wait.
  package func begin(_ adapter: AttachedAdapter) { for kind in adapter.kinds { giveTasks(of: kind) } }

  /// Takes back the tasks of an adapter that has disconnected.
  package func detach(_ adapter: AttachedAdapter) {
    guard let place = adapters.firstIndex(where: { $0 === adapter }) else { return }
    adapters.remove(at: place)
    handedOver.removeAll(of: adapter)
    let tasks = adapter.given.sorted { $0.key < $1.key }.map(\.value)
    adapter.given = [:]
    for connection in connections where adapter.kinds.contains(connection.settings.kind) {
      connection.givenCount = 0
      let own = tasks.filter { $0.task.connection == connection.name }
      for task in own { task.number = nil }
      let later = connection.waiting.all
      connection.waiting = .init()
      for task in own + later { connection.waiting.append(task) }
      set(connection, connected: false, NetworkConnection.noAdapter)
    }
  }

  private func declaredConnections(of kinds: Set<PeerKind>) -> [JSONValue] {
    connections.filter { kinds.contains($0.settings.kind) }.map { $0.declaration(isDryRun: isDryRun, socket: socket) }
  }

  private func declarations(of kinds: Set<PeerKind>) -> [AdapterDeclaration] {
    sources.sources(of: kinds).map(AdapterDeclaration.init)
      + actions.filter { kinds.contains($0.kind) }.map { action in
        AdapterDeclaration(action) { [presentPayload] in
          action.publication.flatMap { presentPayload($0.signal, $0.place) }
        }
      }
  }

  /// Tells adapters the changes of declarations, and gives them tasks: at the end of an iteration.
  package func endIteration() {
    if isStale { reportChanges() }
    if adapters.isEmpty { return }
    handedOver.cancelOverdue()
    guard connections.contains(where: { !$0.waiting.isEmpty }) else { return }
    for kind in kinds { giveTasks(of: kind) }
  }

  func reportChanges() {
    isStale = false
    sources.didReport()
    for adapter in adapters {
      let change = adapter.adopt(declaredConnections(of: adapter.kinds), declarations(of: adapter.kinds))
      if !change.isEmpty { adapter.link.report(change) }
    }
  }

  // MARK: States

  /// Records a state that an adapter reports.
  package func report(_ connection: NetworkConnection, connected: Bool, _ reason: String?) {
    let reason = connected ? nil : connection.settings.withoutSecrets(reason ?? "the adapter gives no reason")
    set(connection, connected: connected, reason)
  }

  private func set(_ connection: NetworkConnection, connected: Bool, _ reason: String?) {
    let (connected, reason) = connection.withheld.map { (false, $0) } ?? (connected, reason)
    let wasConnected = connection.isConnected
    if !connected { noteAway(connection.waiting.all) }
    guard connection.set(connected: connected, reason: reason), !isClosed else { return }
    // A state that no adapter has reported is not a change.
    if reason == NetworkConnection.noReport, !wasConnected { return }
    if connected {
      giveTasks(of: connection.settings.kind)
      log.info("connected to \(connection.name)", ("connection", connection.name))
    } else {
      log.notice("connection \(connection.name) is away: \(reason ?? "")", ("connection", connection.name))
    }
    onState(connection.state)
  }

  /// Tells the messages that wait for a connection, later, that it is away.
  func noteAway(_ tasks: [GivenTask]) {
    let messages = tasks.filter { $0.task.role == .sink && !$0.isOver }
    if messages.isEmpty { return }
    loop.post { [weak self] in
      guard let self, !isClosed else { return }
      begin()
      for message in messages where !message.isOver && message.number == nil && !isConnected(message) {
        message.receive(.progress("away"))
      }
    }
  }

  private func isConnected(_ task: GivenTask) -> Bool {
    connection(named: task.task.connection)?.isConnected ?? false
  }

  // MARK: Sources

  package func follow(
    _ source: NetworkSource, from position: String?, _ receive: @escaping (NetworkEvent) -> Void
  ) -> any Disposable {
    let followed = FollowedSource(source, position: position, receive)
    if sources.add(followed), position == nil { restart(source.signal) }
    isStale = true
    return AnyDisposable { [weak self] in
      guard let self, sources.remove(followed) else { return }
      isStale = true
    }
  }

  /// Makes the adapter of a source restart it, although it knows the declaration: the signal was replaced, and has
  /// nothing of what the adapter has reported.
  private func restart(_ signal: String) {
    for adapter in adapters where adapter.known[signal] != nil { adapter.known[signal] = .null }
  }

  /// Returns the source of a signal that an adapter follows; `nil` if it does not run.
  package func source(of signal: String, for adapter: AttachedAdapter) -> FollowedSource? {
    guard let source = sources[signal], adapter.kinds.contains(source.source.kind) else { return nil }
    return source
  }

  /// Delivers an event of a source, between two turns.
  package func deliver(_ event: NetworkEvent, from source: FollowedSource) {
    if case .failed(let failure, let status) = event {
      let connection = connection(named: source.source.connection)
      let message = connection?.settings.withoutSecrets(failure.message) ?? failure.message
      source.deliver(.failed(SignalFailure(code: failure.code, message: message), status: status))
    } else {
      source.deliver(event)
    }
    if case .items = event { return }
    let signal = source.source.signal
    if sources[signal] === source { return }
    // A source that has ended may run again by now: the adapter begins anew with it.
    for adapter in adapters where adapter.known.removeValue(forKey: signal) != nil {
      adapter.link.report(DeclarationChange(removed: [signal]))
    }
    reportChanges()
  }
}

extension Configuration {
  /// The connections that adapters make: all but one that only the cluster uses, by its relay.
  package var adapterConnections: [PeerConnection] {
    guard let name = server.cluster?.connection.name else { return server.connections }
    let isUsed =
      outsideNeeds.contains { $0.need == .connection(name) } || networkActions.contains { $0.connection == name }
    return isUsed ? server.connections : server.connections.filter { $0.name != name }
  }
}
