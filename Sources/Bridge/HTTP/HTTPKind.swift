internal import JSON
internal import Linux

/// The kind `http`: actions that send requests, sources that poll or follow event streams.
final class HTTPKind: AdapterKind {
  let name = "http"
  private let loop: EventLoop
  private let poller: Poller
  private let log: Log
  private var session: DaemonSession?
  private var connections: [String: HTTPConnection] = [:]
  private var calls: [Int: HTTPCall] = [:]
  private var orphans = OrphanedCalls()
  private var sources: [SignalRun: any HTTPSource] = [:]
  private var declarations: [SignalRun: SignalDeclaration] = [:]
  private var isStopping = false

  init(loop: EventLoop, poller: Poller, log: Log) {
    self.loop = loop
    self.poller = poller
    self.log = log
  }

  // MARK: The daemon

  func attach(_ session: DaemonSession, _ declarations: DeclarationChange) {
    self.session = session
    change(declarations)
    for connection in connections.values { connection.state.tell() }
  }

  func detach() {
    session = nil
    stopSources()
    declarations = [:]
    for connection in connections.values { connection.dropWaiting() }
    orphans.replace(calls.values.filter { $0.job?.isRunning == true })
    calls = [:]
  }

  func change(_ change: DeclarationChange) {
    let former = connections.mapValues(\.settings.origin)
    var renewed: Set<String> = []
    if let now = change.connections { renewed = replaceConnections(now) }
    for run in change.removed { remove(run) }
    for declaration in change.changed {
      // The daemon knows no newer position than that of the last value.
      remove(declaration.run)
      add(declaration)
    }
    for declaration in change.added {
      remove(declaration.run)
      add(declaration)
    }
    for (run, source) in sources where renewed.contains(source.connection) {
      guard let declaration = declarations[run] else { continue }
      if let place = connections[source.connection], place.settings.origin == former[source.connection],
        source.move(to: place)
      {
        continue
      }
      remove(run)
      add(declaration)
    }
  }

  func resume() {
    for connection in connections.values { connection.startWaiting() }
    for source in sources.values { source.resume() }
  }

  func stop() {
    isStopping = true
    stopSources()
    for connection in connections.values { connection.dropWaiting() }
  }

  var running: Int { calls.values.count { $0.job?.isRunning == true } }

  // MARK: Connections

  /// Returns the names of those that are new or have other settings.
  private func replaceConnections(_ now: [ConnectionDeclaration]) -> Set<String> {
    var renewed: Set<String> = []
    var kept: [String: HTTPConnection] = [:]
    for declaration in now {
      if let known = connections[declaration.name], known.declaration == declaration {
        kept[declaration.name] = known
        continue
      }
      renewed.insert(declaration.name)
      do { kept[declaration.name] = try makeConnection(declaration) } catch {
        let reason = (error as? TaskFailure)?.message ?? "\(error)"
        log.error("connection \(declaration.name) cannot be used: \(reason)")
        session?.report(declaration.name, away: reason)
      }
    }
    // Requests that run end with the settings with which they began.
    let former = connections.filter { kept[$0.key] !== $0.value }.values
    for connection in former { connection.dropWaiting() }
    connections = kept
    for connection in former { moveCalls(of: connection) }
    return renewed
  }

  /// Moves the calls that wait for a former connection to the one in its place, or gives them back.
  private func moveCalls(of former: HTTPConnection) {
    let waiting = calls.filter { $0.value.connection === former && $0.value.isWaiting }
    for (number, call) in waiting.sorted(by: { $0.key < $1.key }) {
      calls[number] = nil
      guard let connection = connections[former.declaration.name] else {
        session?.acknowledge(number, .failed(.unusable(former.declaration.name)))
        continue
      }
      call.connection = connection
      begin(call, number)
    }
  }

  private func makeConnection(_ declaration: ConnectionDeclaration) throws -> HTTPConnection {
    let connection = try HTTPConnection(declaration, loop: loop, poller: poller, log: log)
    connection.isHeldUp = { [unowned self] in isStopping || session?.isCongested == true }
    connection.state.changed = { [unowned self] reason in session?.report(declaration.name, away: reason) }
    connection.probeNow()
    return connection
  }

  // MARK: Sources

  private func add(_ declaration: SignalDeclaration) {
    guard declaration.role == .source, let session, !isStopping else { return }
    guard let place = connections[declaration.connection] else {
      let reason = "the connection \(declaration.connection) cannot be used"
      return session.fail(declaration.run, TaskFailure("connect", reason))
    }
    let source: any HTTPSource =
      if declaration.settings.flag("events") {
        HTTPEvents(declaration, place, session, loop: loop, log: log)
      } else {
        HTTPPoll(declaration, place, session, loop: loop, log: log)
      }
    declarations[declaration.run] = declaration
    sources[declaration.run] = source
    source.start()
  }

  private func remove(_ run: SignalRun) {
    sources.removeValue(forKey: run)?.stop()
    declarations[run] = nil
  }

  private func stopSources() {
    for source in sources.values { source.stop() }
    sources = [:]
  }

  // MARK: Tasks

  func perform(_ task: AdapterTask) {
    guard !isStopping else { return }
    if let call = orphans.take(task) { return adopt(call, task.number) }
    guard let connection = connections[task.connection] else {
      session?.acknowledge(task.number, .failed(.unusable(task.connection)))
      return
    }
    begin(HTTPCall(task, connection), task.number)
  }

  private func begin(_ call: HTTPCall, _ number: Int) {
    let isFull = call.given.request.string("answer") == "full"
    let settings = call.connection.settings
    do throws(TaskFailure) {
      let request = try HTTPRequests.request(call.given, settings)
      let job = HTTPJob(request, deadline: call.deadline) { [weak self] result in
        self?.finish(call, HTTPAnswers.answer(result, settings, isFull: isFull))
      }
      call.job = job
      calls[number] = call
      call.connection.add(job)
    } catch { session?.acknowledge(number, .failed(error)) }
  }

  private func finish(_ call: HTTPCall, _ answer: TaskAnswer) {
    call.job = nil
    guard let task = call.task, let session else {
      call.answer = answer
      return
    }
    calls[task] = nil
    session.acknowledge(task, answer)
  }

  private func adopt(_ call: HTTPCall, _ number: Int) {
    if let answer = call.answer {
      session?.acknowledge(number, answer)
      return
    }
    call.task = number
    calls[number] = call
  }

  func cancel(task: Int) {
    guard let call = calls.removeValue(forKey: task), let job = call.job else { return }
    call.connection.cancel(job)
  }
}
