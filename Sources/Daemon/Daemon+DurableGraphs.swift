import Journal
import Linux
import Persistence
import ReactiveCore
import SignalGraph

// Durable graphs of the daemon: from their folder to the runtime in which clients see them.

extension Daemon {
  /// The commits of durable graphs that run.
  var running: Commits? { hub.commits?.hasBegun == true ? hub.commits : nil }

  /// Opens the folder of durable graphs, and works out how they stood.
  func openDurableGraphs(_ stored: StoredConfiguration) throws(StartFailure) {
    let folder = try StateChoice.folder(stored.configuration)
    do throws(StorageError) {
      let doorbell = try Doorbell.forWriter()
      let graphs = try DurableGraphs(
        folder: folder, stored, mirrors: mirrors, system: world, progressed: progress(from: folder)
      ) { doorbell.ring() }
      graphs.log = { [log] in log.warning($0) }
      hub.epochs.folder = graphs.epoch
      hub.commits = try Commits(graphs, doorbell: doorbell, poller: poller, turn: hub.turn)
    } catch {
      try giveUpDurableGraphs(error)
    }
  }

  /// Has durable graphs go on, now that there are mirrors of their signals.
  ///
  /// - Parameter before: How they stood in the process that has handed over, if one has.
  func beginDurableGraphs(handedOver before: HandedOverGraphs? = nil) {
    do throws(StorageError) {
      // Both clocks at the same moment: working out how the graphs stood has taken its time.
      clock.readTime()
      try hub.commits?.begin(
        hub.runtime, at: Instant(clock.now), WallTime.now().microseconds, handedOver: before)
    } catch {
      try? giveUpDurableGraphs(error)
    }
  }

  /// The other graphs go on where the state of durable ones is damaged: to put that right is not for the daemon.
  private func giveUpDurableGraphs(_ error: StorageError) throws(StartFailure) {
    hub.commits = nil
    hub.storageFault = error
    guard error.kind == .damaged || error.kind == .newerVersion else { throw StartFailure(error) }
    log.error("durable graphs do not start: \(error)")
  }

  /// Says now and then how far durable graphs have come, and asks for the time that they need.
  private func progress(from folder: String) -> (Int) -> Void {
    var told = MonotonicInstant.now()
    return { [loop] done in
      let now = MonotonicInstant.now()
      if now - told < .milliseconds(500) { return }
      told = now
      ServiceManager.notify(.status("goes on from \(folder): \(done) values so far"), .extendTimeout(.seconds(30)))
      // A watchdog that cannot be fed is found out by the service manager itself.
      do throws(Errno) { try loop.feedWatchdog() } catch {}
    }
  }
}
