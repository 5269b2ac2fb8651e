import Glibc
import Linux
import Persistence
import ReactiveCore
import SignalGraph
import WireProtocol

// How one process hands over to the next: the program that is on disk now takes the place of this one (`SIGUSR2`), or the
// service manager keeps everything until it has started the next one (`SIGUSR1`, which the unit names as
// RestartKillSignal=).

extension Daemon {
  private static let isRestarted = WireError(.restarted, "the daemon is replaced by another process, and the call ends")

  /// How long the disk may take to have what has entered, and how long programs may take to end.
  private static let storagePatience = Duration.seconds(2)
  private static let programPatience = Duration.milliseconds(200)

  private static let isUnsettled = "what durable graphs have taken is not on disk in time"

  // MARK: To the program on disk

  /// Has the program on disk take the place of this one, if it says that it can.
  func replaceProgram() {
    if isEnding || successor != nil { return }
    do throws(Errno) {
      let configuration = CurrentProcess.absolutePath(source.path)
      successor = try Successor(["--config", configuration], poller: poller, clock: clock) { [unowned self] reason in
        successor = nil
        if let reason { refuseHandover(reason) } else { loop.post { [unowned self] in handOverHere() } }
      }
    } catch {
      refuseHandover("\(error)")
    }
  }

  private func refuseHandover(_ reason: String) {
    if bus == nil { putSignalsOnBus(hub.runtime.configuration.server) }
    log.error("the program on disk does not take over, this one goes on: \(reason)")
    ServiceManager.notify(.status("\(summary); not replaced: \(reason.prefix { !$0.isNewline })"))
  }

  private func handOverHere() {
    if isEnding { return }
    do throws(Errno) {
      guard isReadyForHandover() else { return refuseHandover(Self.isUnsettled) }
      let port = try HandoverPort.forThisProcess()
      try fill(port)
      ServiceManager.notify(.reloading, .status("another program takes over"))
      leave()
      // Its own program can take over as well, should the one on disk have gone meanwhile.
      for path in [CurrentProcess.programPath, "/proc/self/exe"] {
        log.error("\(port.replaceProgram(with: path, CommandLine.arguments))")
      }
      CurrentProcess.leave(EX_OSERR)
    } catch {
      refuseHandover("\(error)")
    }
  }

  // MARK: To the service manager

  /// Leaves everything with the service manager, which starts the next process; where that keeps nothing, this ends as
  /// ever.
  func handOverToServiceManager() {
    if isEnding { return }
    do throws(Errno) {
      guard isReadyForHandover() else { return endWithoutHandover(Self.isUnsettled) }
      guard let port = try HandoverPort.inStore() else {
        return endWithoutHandover("the service manager keeps no descriptors (FileDescriptorStoreMax=)")
      }
      try fill(port)
      ServiceManager.notify(.stopping, .status("the next process takes over"))
      leave()
      CurrentProcess.leave(0)
    } catch {
      ServiceManager.forget(stored: Takeover.name)
      endWithoutHandover("\(error)")
    }
  }

  private func endWithoutHandover(_ reason: String) {
    log.warning("clients are not carried over: \(reason)")
    end()
  }

  // MARK: The work

  /// Brings everything to a point at which it can be handed over: what has entered is on disk and was told, calls of
  /// clients have ended, and what a turn has made is on its way.
  private func isReadyForHandover() -> Bool {
    turnBegins()
    // Before anything is ended, since a disk that is full refuses all of it.
    guard hasSettled() else { return false }
    connections.endCalls(because: Self.isRestarted)
    hub.runtime.dropCancelledCalls()
    bus?.end(because: Self.isRestarted)
    bus = nil
    connections.turnEnds()
    // What that has caused is told as well, which may have durable graphs hear of it in turn.
    repeat {
      guard hasSettled() else { return false }
      connections.turnEnds()
    } while running?.graphs.isIdle == false
    return true
  }

  private func hasSettled() -> Bool {
    running?.settle(within: Self.storagePatience) ?? true
  }

  /// Writes the state down and puts it beside the sockets; nothing is read or written from then on.
  private func fill(_ port: borrowing HandoverPort) throws(Errno) {
    try port.send(clients: connections.listed.compactMap(\.descriptor))
    try port.send(HandoverFile(farewells: connections.farewells, state: state.bytes), listener: listener.number)
  }

  /// Ends what cannot be carried over.
  private func leave() {
    log.notice("handing over: \(connections.count) connections", ("generation", "\(hub.runtime.generation)"))
    world.endForHandover(within: Self.programPatience)
    hub.commits?.graphs.abandon()
  }

  private var state: HandoverState {
    var numbers: [ObjectIdentifier: Int] = [:]
    for subscription in connections.listed.flatMap(\.session.listed) {
      numbers[ObjectIdentifier(subscription)] = numbers.count
    }
    var own = StateWriter()
    wallClock.store(in: &own)
    control.store(in: &own)
    dispatcher.relayedValues.store(in: &own)
    audit.denials.store(in: &own)
    var users = StateWriter()
    connections.ledger.store(in: &users)
    var clients = StateWriter()
    connections.store(in: &clients)
    var listeners = StateWriter()
    hub.store(in: &listeners) { numbers[ObjectIdentifier($0)] ?? -1 }
    return HandoverState(
      processID: CurrentProcess.identifier, program: version, socketPath: listener.path,
      ownsSocketFile: listener.ownsFile, configuration: stored, daemon: own.bytes,
      durable: running?.graphs.handedOver, users: users.bytes, graphs: hub.runtime.state(),
      clients: clients.bytes, listeners: listeners.bytes)
  }

  // MARK: The next process

  /// Goes on with the work of the process before, under the configuration that it had.
  func goOn(with takeover: Takeover) throws(StateError) {
    let state = takeover.state
    var own = StateReader(state.daemon)
    try wallClock.restore(from: &own)
    try control.restore(from: &own)
    dispatcher.relayedValues = try UInt64(from: &own)
    audit.denials = try UInt64(from: &own)
    var users = StateReader(state.users)
    try connections.ledger.restore(from: &users, at: clock.now)
    var fault: StateError?
    let heard = state.durable?.heard ?? []
    try hub.runtime.resume(state.graphs) {
      for name in heard { hub.runtime.signal(named: name)?.arrive() }
      do throws(StateError) {
        var (clients, listeners) = (StateReader(state.clients), StateReader(state.listeners))
        try connections.restore(from: &clients, socket: { takeover.takeClient($0) }) {
          subscription throws(StateError) in try hub.restore(from: &listeners, subscription: subscription)
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    control.noteCarriedOver(connections.count)
  }
}
