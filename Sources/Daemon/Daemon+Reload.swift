import Linux
import Persistence
import SignalGraph
import WireProtocol

// How the daemon takes another configuration over.

extension Daemon {
  /// Reads the configuration again; if anything in it is wrong, the old one runs on.
  func reload() throws(WireError) -> ReloadReply {
    if isEnding { throw Self.isShuttingDown }
    ServiceManager.notify(.reloading)
    let stored: StoredConfiguration
    do throws(ConfigurationError) { stored = try StoredConfiguration(reading: source) } catch {
      if case .invalid(let diagnostics) = error {
        hub.runtime.own.publish(refused: diagnostics, generation: hub.runtime.generation)
      }
      throw refuse(StartFailure(error), WireError(error))
    }
    return try adopt(stored)
  }

  /// Takes over another configuration, of which nothing is wrong.
  func adopt(_ stored: StoredConfiguration) throws(WireError) -> ReloadReply {
    if stored.configuration.isDurable, hub.commits == nil {
      do throws(StartFailure) { try openDurableGraphs(stored) } catch {
        throw refuse(error, WireError(.storage, error.message))
      }
    }
    let changes = hub.reload(stored.configuration)
    self.stored = stored
    if let commits = hub.commits, commits.hasBegun {
      commits.graphs.reload(stored, as: changes) { [hub] in hub.renew($0) }
    } else {
      beginDurableGraphs()
      hub.runtime.tellAdopted()
    }
    let verdict = changes.told
    control.lastReload = (true, clock.now)
    apply(stored.configuration.server)
    log.report(stored.configuration.warnings)
    log.notice("reloaded: \(verdict.summary)", ("generation", "\(verdict.generation)"))
    ServiceManager.notify(.ready, .status("\(contents); reloaded: \(verdict.summary)"))
    return ReloadReply(verdict)
  }

  /// Says that the old configuration runs on.
  private func refuse(_ failure: StartFailure, _ error: WireError) -> WireError {
    control.lastReload = (false, clock.now)
    log.error("the reload is refused, the old configuration runs on:\n\(failure.message)")
    let first = failure.message.prefix { !$0.isNewline }
    ServiceManager.notify(.ready, .status("\(summary); reload refused: \(first)"))
    return error
  }

  /// Reads the configuration again, and says what a reload would do; nothing changes, and nothing is logged.
  func forecast() throws(WireError) -> ReloadReply {
    do throws(ConfigurationError) {
      return ReloadReply(hub.runtime.forecast(try Configuration.load(source)))
    } catch {
      throw WireError(error)
    }
  }

  private func apply(_ settings: ServerSettings) {
    connections.apply(settings.limits)
    dispatcher.maximumDepth = settings.limits.depth
    dispatcher.observers = Members(settings.access.stats)
    log.level = LogLevel(settings.log.level)
    putSignalsOnBus(settings)
  }

  /// Joins the bus that the settings name, and leaves another.
  func putSignalsOnBus(_ settings: ServerSettings) {
    bus?.apply(settings.limits)
    if settings.dbus == bus?.settings { return }
    bus?.end(because: WireError(.shuttingDown, "the signals leave this bus"))
    bus = settings.dbus.map { dbus in
      BusService(
        dbus, host: world.systemBuses.host(dbus.bus), dispatcher, connections.ledger,
        socket: { [unowned self] in listener.path }, log: log)
    }
  }
}
