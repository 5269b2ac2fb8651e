import GraphEngine
import GraphModel
import Linux
import Persistence
import Signals
import StateLog
import WireProtocol
import World

// Durable graphs of the daemon: from their state logs to the runtime that clients see.

extension Daemon {
  /// The commits of durable graphs that run.
  var running: [Commits] { hub.commits.filter(\.graphs.hasBegun) }

  /// The paths of the configuration and of the state folder in use, for commands that read them directly.
  var paths: HelloReply.Paths {
    let configuration = stored.configuration
    let declared = configuration.homes.contains(.folder) ? try? stateFolder(.folder, configuration) : nil
    let folder = hub.commits(of: .folder)?.folder?.path ?? declared
    return HelloReply.Paths(
      configuration: CurrentProcess.absolutePath(source.path), state: folder.map(CurrentProcess.absolutePath))
  }

  /// Opens the homes of durable graphs that are not open yet, and recovers their state.
  ///
  /// - Throws: An error if one cannot be used as it is; then none of them is open.
  func openHomes(of stored: StoredConfiguration) throws(StartFailure) {
    let homes = stored.configuration.localHomes.filter { hub.commits(of: $0) == nil }
    do throws(StartFailure) {
      for home in homes { try open(home, stored) }
    } catch {
      for home in homes { hub.remove(home) }
      throw error
    }
  }

  private func open(_ home: Home, _ stored: StoredConfiguration) throws(StartFailure) {
    let folder = try stateFolder(home, stored.configuration)
    do throws(StorageError) {
      let wakeup = try WakeupPipe.forWriter()
      let graphs = try DurableGraphs(
        folder: folder, of: home, in: hub.homes, stored, system: world, progressed: progress(from: folder),
        copied: { [log] epoch in
          log.notice(
            "\(folder) is a copy or was restored from one: durable signals start epoch \(epoch)")
        }
      ) { wakeup.signal() }
      graphs.log = { [log] in log.warning($0) }
      hub.add(
        try Commits(graphs, folder: folder, wakeup: wakeup, poller: poller, iteration: hub.iteration))
    } catch {
      try giveUp(home, error)
    }
  }

  /// Starts or resumes the durable graphs of open homes, now that there are mirrors of their signals.
  ///
  /// `Homes.connect` is to follow.
  ///
  /// - Parameters:
  ///   - homes: The homes that begin.
  ///   - before: Their states in the process that has handed over.
  func begin(_ homes: [Commits], handedOver before: [Home: HandedOverGraphs] = [:]) {
    // Both clocks are read at the same moment: recovery has taken its time.
    clock.readTime()
    for commits in homes {
      do throws(StorageError) {
        try commits.begin(
          hub.runtime, at: Instant(clock.now), WallTime.now().microseconds, handedOver: before[commits.home])
      } catch {
        try? giveUp(commits.home, error)
      }
    }
  }

  /// Lets all other graphs run despite the damaged state of a home, since a repair is not the daemon's task, and at the
  /// start also despite a fault that passes, such as a full disk.
  private func giveUp(_ home: Home, _ error: StorageError) throws(StartFailure) {
    let former = hub.storageFaults[home]
    hub.remove(home, because: error)
    let isDamaged = error.kind == .damaged || error.kind == .newerVersion
    guard isDamaged || error.isPassing && (former?.isPassing ?? isStarting) else { throw StartFailure(error) }
    if former == error { return }
    log.error("cannot start \(home.subject)\(error.isPassing ? " now, retrying" : ""): \(error)")
  }

  /// The interval between attempts to open homes that cannot be opened for now.
  private static let pause = Duration.seconds(1)

  /// The fault that keeps a home on this machine closed for now, if there is one.
  var passingFault: StorageError? {
    let closed = stored.configuration.localHomes.lazy.filter { [hub] in hub.commits(of: $0) == nil }
    return closed.compactMap { [hub] in hub.storageFaults[$0] }.first(where: \.isPassing)
  }

  /// Opens the homes later that a passing fault has kept closed.
  func openHomesLater() {
    if passingFault == nil { return }
    _ = clock.schedule(after: Self.pause) { [weak self] in self?.openWaitingHomes() }
  }

  private func openWaitingHomes() {
    if isEnding { return }
    do throws(StartFailure) { try openHomes(of: stored) } catch {
      log.error("cannot start durable graphs: \(error.message)")
    }
    let opened = hub.commits.filter { !$0.graphs.hasBegun }
    if !opened.isEmpty {
      begin(opened)
      hub.homes.connect()
      hub.runtime.deliverAdopted()
      for commits in opened where commits.graphs.hasBegun { log.notice("started \(commits.home.subject)") }
      withholdConnections()
    }
    openHomesLater()
  }

  /// Withholds the MQTT connections of durable graphs that do not run: a broker gives what it has kept once.
  func withholdConnections() {
    let closed = stored.configuration.localHomes.filter { hub.commits(of: $0)?.graphs.hasBegun != true }
    world.systemNetwork.withhold(
      stored.configuration.keptConnections(of: Set(closed)).mapValues { "\($0.subject) have not started, see the log" })
  }

  /// Reports the progress of a recovery to the service manager at intervals, and extends its timeout.
  private func progress(from folder: String) -> (Int) -> Void {
    var reported = MonotonicInstant.now()
    return { [loop] done in
      let now = MonotonicInstant.now()
      if now - reported < .milliseconds(500) { return }
      reported = now
      ServiceManager.notify(.status("recovering from \(folder): \(done) values so far"), .extendTimeout(.seconds(30)))
      // The service manager itself detects a watchdog that cannot be fed.
      do throws(Errno) { try loop.feedWatchdog() } catch {}
    }
  }
}
