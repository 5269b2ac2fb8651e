import GraphModel
import Linux
import Persistence
import ReactiveCore
import StateLog
import WireProtocol

// Durable graphs of the daemon: from their folder to the runtime that clients see.

extension Daemon {
  /// The commits of durable graphs that run.
  var running: Commits? { hub.commits?.hasBegun == true ? hub.commits : nil }

  /// The paths of the configuration and of the state folder, for commands that read them directly.
  var paths: HelloReply.Paths {
    let configuration = stored.configuration
    let folder = configuration.isDurable ? try? StateChoice.folder(configuration) : nil
    return HelloReply.Paths(
      configuration: CurrentProcess.absolutePath(source.path), state: folder.map(CurrentProcess.absolutePath))
  }

  /// Opens the state folder of durable graphs, and recovers their state.
  func openDurableGraphs(_ stored: StoredConfiguration) throws(StartFailure) {
    let folder = try StateChoice.folder(stored.configuration)
    do throws(StorageError) {
      let wakeup = try WakeupPipe.forWriter()
      let graphs = try DurableGraphs(
        folder: folder, stored, mirrors: mirrors, system: world, progressed: progress(from: folder),
        copied: { [log] epoch in
          log.notice(
            "\(folder) is a copy or was restored from one: durable signals start epoch \(epoch)")
        }
      ) { wakeup.signal() }
      graphs.log = { [log] in log.warning($0) }
      hub.epochs.folder = graphs.epoch
      hub.commits = try Commits(graphs, wakeup: wakeup, poller: poller, iteration: hub.iteration)
    } catch {
      try giveUpDurableGraphs(error)
    }
  }

  /// Starts or resumes durable graphs, now that there are mirrors of their signals.
  ///
  /// - Parameter before: Their state in the process that has handed over.
  func beginDurableGraphs(handedOver before: HandedOverGraphs? = nil) {
    do throws(StorageError) {
      // Both clocks are read at the same moment: recovery has taken its time.
      clock.readTime()
      try hub.commits?.begin(
        hub.runtime, at: Instant(clock.now), WallTime.now().microseconds, handedOver: before)
    } catch {
      try? giveUpDurableGraphs(error)
    }
  }

  /// Lets ordinary graphs run despite damaged state of durable ones: a repair is not the daemon's task.
  private func giveUpDurableGraphs(_ error: StorageError) throws(StartFailure) {
    hub.commits = nil
    hub.storageFault = error
    guard error.kind == .damaged || error.kind == .newerVersion else { throw StartFailure(error) }
    log.error("cannot start durable graphs: \(error)")
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
