import Base
package import GraphEngine
package import GraphModel
package import JSON
import Linux
package import ReactiveCore

/// The peers on the network as graphs see them: gives the work of signals and actions to attached adapters.
///
/// Tasks wait here until an adapter takes them; the graphs' calls under way bound their number. When an
/// adapter disconnects, the tasks that it has not acknowledged go to the next one.
package final class SystemNetwork: NetworkWorld {
  private let loop: EventLoop
  private let log: Log
  /// True if nothing may reach a peer: tasks are taken for done.
  private let isDryRun: Bool
  /// Called before answers that come between two iterations.
  package var begin: () -> Void = {}
  /// Called at each change of a connection's state.
  package var onState: (JSONObject) -> Void = { _ in }
  private var connections: [NetworkConnection] = []
  private var actions: [(name: String, kind: PeerKind, connection: String, declaration: JSONValue)] = []
  private var sources: [String: FollowedSource] = [:]
  /// The signals whose sources have ended since adapters were last notified.
  private var ended: Set<String> = []
  private var adapters: [AttachedAdapter] = []
  /// The number of the last task that was given.
  package private(set) var lastNumber: UInt64 = 0
  /// True if adapters have to be notified of changed declarations.
  private var isStale = false
  /// The tasks that adapters had before a handover, by their keys, until their calls resume.
  private var expected: [ExpectedTask] = []
  private var isClosed = false

  /// The time at which tasks whose calls have not resumed are cancelled.
  private var handoverDeadline = MonotonicInstant.now()

  /// A task that an adapter still has, for a call that has yet to resume.
  final class ExpectedTask {
    let number: UInt64
    let key: String
    let attempt: Int
    let adapter: AttachedAdapter
    /// The answers received before the call has resumed.
    var answers: [(NetworkTask) -> TaskAnswer] = []

    init(number: UInt64, key: String, attempt: Int, adapter: AttachedAdapter) {
      self.number = number
      self.key = key
      self.attempt = attempt
      self.adapter = adapter
    }
  }

  /// The longest time until calls resume after a handover: those of durable graphs wait for the disk.
  private static let handoverTimeout = Duration.seconds(10)

  init(loop: EventLoop, log: Log, isDryRun: Bool = false) {
    self.loop = loop
    self.log = log
    self.isDryRun = isDryRun
  }

  /// Gives up all work: the graphs are gone.
  func close() {
    isClosed = true
    begin = {}
    onState = { _ in }
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
    actions = configuration.networkActions.map { action in
      let members: JSONObject = [
        "signal": .string(action.name), "role": .string(action.role.rawValue), "kind": .string(action.kind.rawValue),
        "connection": .string(action.connection), "settings": .object(action.settings),
      ]
      return (action.name, action.kind, action.connection, .object(members))
    }
    isStale = true
    for kind in kinds { giveTasks(of: kind) }
  }

  // MARK: Adapters

  package func adapter(for kind: PeerKind) -> AttachedAdapter? { adapters.first { $0.kinds.contains(kind) } }

  /// Attaches an adapter and returns the reply to it.
  package func attach(_ adapter: AttachedAdapter) -> (connections: [JSONValue], declarations: [JSONValue]) {
    adapters.append(adapter)
    adapter.knownConnections = declaredConnections(of: adapter.kinds)
    let followed = followedSources(of: adapter.kinds)
    let own = declaredActions(of: adapter.kinds)
    adapter.known = Dictionary(
      followed.map { ($0.source.signal, $0.form) } + own.map { ($0.name, $0.declaration) }
    ) { first, _ in first }
    for connection in connections where adapter.kinds.contains(connection.settings.kind) {
      set(connection, connected: false, NetworkConnection.noReport)
    }
    return declared(of: adapter.kinds)
  }

  /// The connections of some kinds, and what is declared of them.
  package func declared(of kinds: Set<PeerKind>) -> (connections: [JSONValue], declarations: [JSONValue]) {
    (
      declaredConnections(of: kinds),
      followedSources(of: kinds).map(\.declaration) + declaredActions(of: kinds).map(\.declaration)
    )
  }

  /// Gives an adapter, once it knows the declarations, the tasks that wait.
  package func begin(_ adapter: AttachedAdapter) { for kind in adapter.kinds { giveTasks(of: kind) } }

  /// Takes back the tasks of an adapter that has disconnected.
  package func detach(_ adapter: AttachedAdapter) {
    guard let place = adapters.firstIndex(where: { $0 === adapter }) else { return }
    adapters.remove(at: place)
    expected.removeAll { $0.adapter === adapter }
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
    connections.filter { kinds.contains($0.settings.kind) }.map { $0.declaration(isDryRun: isDryRun) }
  }

  private func followedSources(of kinds: Set<PeerKind>) -> [FollowedSource] {
    sources.values.filter { kinds.contains($0.source.kind) }
      .sorted { $0.source.signal < $1.source.signal }
  }

  private func declaredActions(of kinds: Set<PeerKind>) -> [(name: String, declaration: JSONValue)] {
    actions.filter { kinds.contains($0.kind) }.map { ($0.name, $0.declaration) }
  }

  /// Tells adapters the changes of declarations, and gives them tasks: at the end of an iteration.
  package func endIteration() {
    if isStale { reportChanges() }
    if adapters.isEmpty { return }
    if !expected.isEmpty, MonotonicInstant.now() > handoverDeadline {
      for task in expected { task.adapter.link.cancel(task.number) }
      expected = []
    }
    guard connections.contains(where: { !$0.waiting.isEmpty }) else { return }
    for kind in kinds { giveTasks(of: kind) }
  }

  private func reportChanges() {
    isStale = false
    ended = []
    for adapter in adapters { reportChanges(to: adapter) }
  }

  private func reportChanges(to adapter: AttachedAdapter) {
    var change = DeclarationChange()
    let connections = declaredConnections(of: adapter.kinds)
    if JSONValue.array(connections).description != JSONValue.array(adapter.knownConnections).description {
      change.connections = connections
      adapter.knownConnections = connections
    }
    var present: [(name: String, form: JSONValue, declaration: JSONValue)] = followedSources(of: adapter.kinds).map {
      ($0.source.signal, $0.form, $0.declaration)
    }
    present += declaredActions(of: adapter.kinds).map { ($0.name, $0.declaration, $0.declaration) }
    let names = Set(present.map(\.name))
    change.removed = adapter.known.keys.filter { !names.contains($0) }.sorted()
    for (name, form, declaration) in present {
      guard let known = adapter.known[name] else {
        change.added.append(declaration)
        continue
      }
      if known.description != form.description { change.changed.append(declaration) }
    }
    adapter.known = Dictionary(present.map { ($0.name, $0.form) }) { first, _ in first }
    if !change.isEmpty { adapter.link.report(change) }
  }

  // MARK: States

  /// Records a state that an adapter reports.
  package func report(_ connection: NetworkConnection, connected: Bool, _ reason: String?) {
    let reason = connected ? nil : connection.settings.withoutSecrets(reason ?? "the adapter gives no reason")
    set(connection, connected: connected, reason)
  }

  private func set(_ connection: NetworkConnection, connected: Bool, _ reason: String?) {
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
  private func noteAway(_ tasks: [GivenTask]) {
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
    if position == nil, ended.contains(source.signal) || sources[source.signal] != nil { beginAnew(source.signal) }
    sources[source.signal] = followed
    isStale = true
    return AnyDisposable { [weak self] in
      guard let self, sources[source.signal] === followed else { return }
      sources[source.signal] = nil
      ended.insert(source.signal)
      isStale = true
    }
  }

  /// Lets the adapter of a source begin anew with it, although it knows the declaration: the signal was replaced, and has
  /// nothing of what the adapter has reported.
  private func beginAnew(_ signal: String) {
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

  // MARK: Tasks

  package func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable {
    let now = MonotonicInstant.now()
    let given = GivenTask(task, deadline: task.timeout.map { Duration.nanoseconds(now.nanoseconds) + $0 }, receive)
    if isDryRun {
      answerDry(given)
    } else if !adopt(given) {
      if let connection = connection(named: task.connection) {
        connection.waiting.append(given)
        if task.role == .sink, !connection.isConnected { noteAway([given]) } else { giveTasks(of: task.kind) }
      } else {
        refuse(given, "the connection \"\(task.connection)\" is gone")
      }
    }
    return AnyDisposable { [weak self] in
      guard !given.isOver else { return }
      given.isOver = true
      self?.withdraw(given)
    }
  }

  /// Takes a task for done, later.
  private func answerDry(_ given: GivenTask) {
    let task = given.task
    log.info("dry run: nothing is sent over \(task.connection) for \(task.owner)", ("connection", task.connection))
    loop.post { [weak self] in
      guard let self, !isClosed, !given.isOver else { return }
      begin()
      given.isOver = true
      given.receive(.done(nil))
    }
  }

  /// Finds the task among those that an adapter had before a handover.
  private func adopt(_ given: GivenTask) -> Bool {
    guard
      let place = expected.firstIndex(where: { $0.key == given.task.key && $0.attempt == given.task.attempt })
    else { return false }
    let task = expected.remove(at: place)
    given.number = task.number
    task.adapter.given[task.number] = given
    connection(named: given.task.connection)?.givenCount += 1
    if !task.answers.isEmpty { answer(given, task) }
    return true
  }

  private func answer(_ given: GivenTask, _ task: ExpectedTask) {
    loop.post { [weak self] in
      guard let self, !isClosed else { return }
      begin()
      for answer in task.answers where !given.isOver { acknowledge(given, of: task.adapter, answer(given.task)) }
    }
  }

  /// Takes a task away from its adapter.
  private func withdraw(_ given: GivenTask) {
    guard let number = given.number else { return }
    given.number = nil
    for adapter in adapters where adapter.given[number] === given {
      adapter.given[number] = nil
      // One of another kind may have the name by now.
      if let connection = connection(named: given.task.connection), connection.settings.kind == given.task.kind {
        connection.givenCount -= 1
      }
      adapter.link.cancel(number)
    }
    giveTasks(of: given.task.kind)
  }

  /// Answers a task that cannot be carried out, later.
  private func refuse(_ given: GivenTask, _ reason: String) {
    loop.post { [weak self] in
      guard let self, !isClosed, !given.isOver else { return }
      begin()
      given.isOver = true
      given.receive(
        .failed(SignalFailure(code: "connect", message: reason), status: nil, RetryAdvice(isUseful: false)))
    }
  }

  private func giveTasks(of kind: PeerKind) {
    guard let adapter = adapter(for: kind), !isClosed else { return }
    for connection in connections where connection.settings.kind == kind {
      let most = min(adapter.window, connection.mostGiven)
      while !adapter.link.isFull, connection.givenCount < most, let task = connection.waiting.first {
        if !task.isOver, task.task.role == .sink, !connection.isConnected { break }
        _ = connection.waiting.popFirst()
        if !task.isOver { give(task, to: adapter, over: connection) }
      }
    }
  }

  private func give(_ given: GivenTask, to adapter: AttachedAdapter, over connection: NetworkConnection) {
    if isStale { reportChanges() }
    lastNumber += 1
    given.number = lastNumber
    adapter.given[lastNumber] = given
    connection.givenCount += 1
    var members: JSONObject = [
      "task": .number(Double(lastNumber)), "signal": .string(given.task.owner),
      "role": .string(given.task.role.rawValue), "connection": .string(connection.name),
    ]
    if given.task.role == .action { members["value"] = given.task.value.value }
    members["request"] = .object(given.task.request)
    members["attempt"] = .number(Double(given.task.attempt))
    members["key"] = .string(given.task.key)
    if let deadline = given.deadline {
      let rest = deadline - .nanoseconds(MonotonicInstant.now().nanoseconds)
      members["deadline"] = .number(max(0, (rest / .milliseconds(1)).rounded() / 1_000))
    }
    adapter.link.give(members)
  }

  /// Delivers the answer to a task, between two turns; one to a task that was cancelled meanwhile has no effect.
  package func acknowledge(
    _ number: UInt64, of adapter: AttachedAdapter, _ answer: @escaping (NetworkTask) -> TaskAnswer
  ) {
    if let given = adapter.given[number] { return acknowledge(given, of: adapter, answer(given.task)) }
    expected.first { $0.number == number && $0.adapter === adapter }?.answers.append(answer)
  }

  private func acknowledge(_ given: GivenTask, of adapter: AttachedAdapter, _ answer: TaskAnswer) {
    let connection = connection(named: given.task.connection)
    var answer = answer
    if case .failed(let failure, let status, let advice) = answer, let settings = connection?.settings {
      answer = .failed(
        SignalFailure(code: failure.code, message: settings.withoutSecrets(failure.message)), status: status, advice)
    }
    connection?.count(answer)
    if answer.isLast, let number = given.number {
      given.isOver = true
      given.number = nil
      adapter.given[number] = nil
      connection?.givenCount -= 1
    }
    given.receive(answer)
    giveTasks(of: given.task.kind)
  }
}

// MARK: - Handover

extension SystemNetwork {
  /// Encodes what adapters know and have.
  ///
  /// - Parameter identifier: Returns the number of an adapter's connection.
  package func encode(to writer: inout StateEncoder, identifier: (any AdapterLink) -> Int?) {
    lastNumber.encode(to: &writer)
    let states = connections.filter(\.isConnected).map(\.name)
    states.encode(to: &writer)
    let kept = adapters.compactMap { adapter in identifier(adapter.link).map { ($0, adapter) } }
    writer.count(kept.count)
    for (identifier, adapter) in kept {
      identifier.encode(to: &writer)
      adapter.kinds.map(\.rawValue).sorted().encode(to: &writer)
      adapter.window.encode(to: &writer)
      adapter.knownConnections.encode(to: &writer)
      adapter.known.encode(to: &writer)
      writer.count(adapter.given.count)
      for (number, task) in adapter.given.sorted(by: { $0.key < $1.key }) {
        number.encode(to: &writer)
        writer.text(task.task.key)
        task.task.attempt.encode(to: &writer)
      }
    }
  }

  /// Adopts the adapters of the process that has handed over.
  ///
  /// - Parameter link: Returns the link to the adapter of a connection.
  package func restore(
    from reader: inout StateDecoder, link: (Int, AttachedAdapter.Record) -> AttachedAdapter?
  ) throws(StateError) {
    lastNumber = try UInt64(from: &reader)
    for name in try [String](from: &reader) { _ = connection(named: name)?.set(connected: true, reason: nil) }
    for _ in 0..<(try reader.count()) {
      let identifier = try Int(from: &reader)
      let kinds = Set(try [String](from: &reader).map(PeerKind.init))
      let adapter = link(identifier, AttachedAdapter.Record(kinds: kinds, window: try Int(from: &reader)))
      let knownConnections = try [JSONValue](from: &reader)
      let known = try [String: JSONValue](from: &reader)
      var tasks: [(number: UInt64, key: String, attempt: Int)] = []
      for _ in 0..<(try reader.count()) {
        tasks.append((try UInt64(from: &reader), try reader.text(), try Int(from: &reader)))
      }
      guard let adapter else { continue }
      adapter.knownConnections = knownConnections
      adapter.known = known
      adapters.append(adapter)
      for task in tasks {
        expected.append(ExpectedTask(number: task.number, key: task.key, attempt: task.attempt, adapter: adapter))
      }
    }
    isStale = true
    handoverDeadline = MonotonicInstant.now() + Self.handoverTimeout
    adoptWaiting()
  }

  /// Durable graphs have resumed before their adapters were known.
  private func adoptWaiting() {
    for connection in connections {
      let waiting = connection.waiting.all
      connection.waiting = .init()
      for task in waiting where !adopt(task) { connection.waiting.append(task) }
    }
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
