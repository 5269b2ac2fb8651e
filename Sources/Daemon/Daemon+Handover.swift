import Base
import Glibc
import GraphEngine
import GraphModel
import Linux
import Persistence
import Signals
import WireProtocol
import World

// The handover from one process to the next: the program on disk replaces this one (`SIGUSR2`), or the service manager
// stores everything until it has started the next one (`SIGUSR1`, which the unit sets as RestartKillSignal=).

extension Daemon {
  private static let isRestarted = WireError(.restarted, "the daemon is being replaced: call cancelled")

  /// The longest times for the disk to commit all inputs, and for programs to end.
  private static let storagePatience = Duration.seconds(2)
  private static let programPatience = Duration.milliseconds(200)

  /// The reason for which the inputs so far are not all committed.
  private var unsettledReason: String {
    running.lazy.compactMap(\.graphs.failure).first.map { "the inputs of durable graphs cannot be written: \($0)" }
      ?? "timed out writing the inputs of durable graphs to disk, or to the servers of a cluster"
  }

  // MARK: To the program on disk

  /// Replaces this process by the program on disk, if that accepts its state.
  func replaceProgram() {
    if isEnding || successor != nil { return }
    do throws(Errno) {
      let configuration = CurrentProcess.absolutePath(source.path)
      successor = try SuccessorProgram(["--config", configuration], poller: poller, clock: clock) {
        [weak self] reason in
        guard let self else { return }
        successor = nil
        if let reason {
          refuseHandover(reason, by: "the program on disk")
        } else {
          loop.post { [weak self] in self?.handOverHere() }
        }
      }
    } catch {
      refuseHandover("\(error)")
    }
  }

  /// Continues instead of handing over.
  ///
  /// - Parameter judge: The one that rejected it; `nil` if this process cannot hand over.
  private func refuseHandover(_ reason: String, by judge: String? = nil) {
    if bus == nil { putSignalsOnBus(hub.runtime.configuration.server) }
    log.error("\(judge.map { "handover rejected by \($0)" } ?? "cannot hand over"), continuing: \(reason)")
    ServiceManager.notify(.status("\(summary); handover rejected: \(reason.prefix { !$0.isNewline })"))
  }

  private func handOverHere() {
    if isEnding { return }
    do throws(Errno) {
      // The next process would have to start these graphs, too, and could resume none if it cannot.
      if let fault = passingFault { return refuseHandover("durable graphs wait to be started: \(fault)") }
      if let change = changeOfFolder { return refuseHandover(change) }
      guard settleForHandover() else { return refuseHandover(unsettledReason) }
      let port = try HandoverPort.forThisProcess()
      try fill(port)
      ServiceManager.notify(.reloading, .status("handing over to another program"))
      endLocalWork()
      // The running program can resume as well, should the one on disk have disappeared.
      for path in [CurrentProcess.programPath, "/proc/self/exe"] {
        log.error("\(port.replaceProgram(with: path, CommandLine.arguments))")
      }
      CurrentProcess.leave(EX_OSERR)
    } catch {
      refuseHandover("\(error)")
    }
  }

  // MARK: To the service manager

  /// Stores everything with the service manager, which starts the next process; if it stores nothing, this process ends
  /// in the ordinary way.
  func handOverToServiceManager() {
    if isEnding { return }
    do throws(Errno) {
      if let change = changeOfFolder { return endWithoutHandover(change) }
      guard settleForHandover() else { return endWithoutHandover(unsettledReason) }
      guard let port = try HandoverPort.inStore() else {
        return endWithoutHandover("the service manager stores no file descriptors (FileDescriptorStoreMax=)")
      }
      try fill(port)
      ServiceManager.notify(.stopping, .status("handing over to the next process"))
      endLocalWork()
      CurrentProcess.leave(0)
    } catch {
      ServiceManager.remove(stored: Resumption.name)
      endWithoutHandover("\(error)")
    }
  }

  /// The reason for which the next process would find another state than that which clients have seen.
  private var changeOfFolder: String? {
    for folder in running.compactMap(\.folder) where !folder.isInPlace {
      return "\(folder.path) was removed or replaced while in use"
    }
    guard let used = hub.commits(of: .folder)?.folder?.path else { return nil }
    // The next process reads the configuration anew, and judges one that is wrong.
    let next = (try? stored.reread(source, PrivateDaemon.inputs))?.configuration ?? stored.configuration
    for configuration in [stored.configuration, next] where configuration.homes.contains(.folder) {
      guard let path = try? stateFolder(.folder, configuration), !path.hasSameBytes(as: used) else { continue }
      return "the state directory changes from \(used) to \(path), which takes a stop and a start"
    }
    return nil
  }

  private func endWithoutHandover(_ reason: String) {
    log.warning("cannot hand over clients: \(reason)")
    end()
  }

  // MARK: State

  /// Settles everything for a handover: all inputs are on disk and answered, calls of clients have ended, and the
  /// output of the iteration is on its way.
  ///
  /// - Returns: `false` if the disk takes too long.
  func settleForHandover() -> Bool {
    beginIteration()
    // This comes before anything is ended, since a full disk makes the handover fail.
    guard hasSettled() else { return false }
    connections.endCalls(because: Self.isRestarted)
    hub.runtime.dropCancelledCalls()
    // The values they reply to are accepted; the next process holds later ones back.
    for answer in hub.congestion.takeAnswers() { answer() }
    bus?.end(because: Self.isRestarted)
    bus = nil
    connections.endIteration()
    // The effects are delivered as well, which may cause further inputs to durable graphs.
    repeat {
      guard hasSettled() else { return false }
      connections.endIteration()
    } while running.contains { !$0.graphs.isIdle }
    return true
  }

  private func hasSettled() -> Bool {
    guard cluster?.settle(within: Self.storagePatience) ?? true else { return false }
    return running.allSatisfy { $0.settle(within: Self.storagePatience) }
  }

  /// Encodes the state and sends it with the sockets; nothing is read or written after that.
  private func fill(_ port: borrowing HandoverPort) throws(Errno) {
    try port.send(clients: connections.listed.compactMap(\.descriptor))
    try port.send(HandoverFile(farewells: connections.farewells, state: state.bytes), listener: listener.number)
  }

  /// Ends what cannot be handed over.
  private func endLocalWork() {
    log.notice("handing over: \(connections.count) connections", ("generation", "\(hub.runtime.generation)"))
    childBridge?.end()
    // This node continues, in its next process.
    if let cluster { cluster.end(successor: cluster.name) }
    world.endForHandover(within: Self.programPatience)
    for commits in hub.commits { commits.graphs.abandon() }
  }

  /// The state of this process between two iterations.
  var state: HandoverState {
    var numbers: [ObjectIdentifier: Int] = [:]
    for subscription in connections.listed.flatMap(\.session.listed) {
      numbers[ObjectIdentifier(subscription)] = numbers.count
    }
    var own = StateEncoder()
    wallClock.encode(to: &own)
    control.encode(to: &own)
    dispatcher.relayedValues.encode(to: &own)
    audit.denials.encode(to: &own)
    if world.systemNetwork.isUsed {
      world.systemNetwork.encode(to: &own) { [connections] link in
        connections.listed.first { $0.session === (link as? AdapterSession)?.session }?.identifier
      }
    }
    var users = StateEncoder()
    connections.ledger.encode(to: &users)
    var clients = StateEncoder()
    connections.encode(to: &clients)
    var listeners = StateEncoder()
    hub.encode(to: &listeners) { numbers[ObjectIdentifier($0)] ?? -1 }
    let durable = Dictionary(uniqueKeysWithValues: running.map { ($0.home, $0.graphs.handedOver) })
    return HandoverState(
      processID: CurrentProcess.identifier, program: programVersion, socketPath: listener.path,
      ownsSocketFile: listener.ownsFile, configuration: stored, daemon: own.bytes,
      durable: durable, users: users.bytes, graphs: hub.runtime.state(),
      clients: clients.bytes, listeners: listeners.bytes)
  }

  // MARK: The next process

  /// Resumes from the state of the old process, under the configuration that it had.
  func proceed(with resumption: Resumption) throws(StateError) {
    let state = resumption.state
    var own = StateDecoder(state.daemon)
    try wallClock.restore(from: &own)
    try control.restore(from: &own)
    dispatcher.relayedValues = try UInt64(from: &own)
    audit.denials = try UInt64(from: &own)
    var users = StateDecoder(state.users)
    try connections.ledger.restore(from: &users, at: clock.now)
    var fault: StateError?
    let observed = state.durable.values.flatMap(\.observed)
    let mismatches = try hub.runtime.resumeWhatFits(state.graphs) {
      for signal in observed.compactMap(hub.runtime.signal) { hub.runtime.setMirror(of: signal, isObserved: true) }
      do throws(StateError) {
        var (clients, listeners) = (StateDecoder(state.clients), StateDecoder(state.listeners))
        try connections.restore(from: &clients, socket: { resumption.takeClient($0) }) {
          subscription throws(StateError) in try hub.restore(from: &listeners, subscription: subscription)
        }
        if !own.isAtEnd { try resumeAdapters(from: &own) }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    for mismatch in mismatches {
      log.error("\(mismatch.signal) restarted, its state does not match: \(mismatch.error.message)")
    }
    control.noteCarriedOver(connections.count)
  }

  private func resumeAdapters(from reader: inout StateDecoder) throws(StateError) {
    try world.systemNetwork.restore(from: &reader) { identifier, record in
      guard let connection = connections.listed.first(where: { $0.identifier == identifier && $0.isThere }) else {
        return nil
      }
      let adapter = AttachedAdapter(AdapterSession(connection.session), record)
      hub.adapters.add(adapter, of: connection.session)
      connection.session.noteAdapter()
      return adapter
    }
  }
}
