import GraphCatalogue
import GraphEngine
import GraphModel
import Linux
import Persistence
import WireProtocol
import World

// Changes of the daemon's configuration.

extension Daemon {
  /// Reads the configuration again and applies it; with an error in it, the old one stays in force.
  func reload() throws(WireError) -> ReloadReply {
    if isEnding { throw Self.isShuttingDown }
    ServiceManager.notify(.reloading)
    let stored: StoredConfiguration
    do throws(ConfigurationError) {
      stored = try self.stored.reread(source, PrivateDaemon.inputs)
    } catch {
      throw refuse(StartFailure(error), WireError(error))
    }
    return try adopt(stored)
  }

  /// Applies another valid configuration.
  func adopt(_ stored: StoredConfiguration) throws(WireError) -> ReloadReply {
    do throws(StartFailure) { try openHomes(of: stored) } catch {
      throw refuse(error, WireError(unusable: error))
    }
    world.apply(stored.configuration)
    let changes = hub.reload(stored.configuration)
    self.stored = stored
    let opened = hub.commits.filter { !$0.graphs.hasBegun }
    hub.homes.reload(stored, as: changes)
    begin(opened)
    hub.homes.connect()
    joinCluster()
    hub.beginAwaited()
    if !opened.isEmpty { hub.runtime.deliverAdopted() }
    withholdConnections()
    let verdict = changes.published
    control.lastReload = (true, clock.now)
    apply(stored.configuration.server)
    log.report(stored.configuration.warnings)
    log.notice("reloaded: \(verdict.summary)", ("generation", "\(verdict.generation)"))
    ServiceManager.notify(.ready, .status("\(contents); reloaded: \(verdict.summary)"))
    return ReloadReply(verdict)
  }

  /// Reports that the old configuration stays in force.
  private func refuse(_ failure: StartFailure, _ error: WireError) -> WireError {
    control.lastReload = (false, clock.now)
    log.error("reload rejected, the old configuration stays active:\n\(failure.message)")
    let first = failure.message.prefix { !$0.isNewline }
    hub.runtime.own.publish(refused: error.configurationErrors, generation: hub.runtime.generation)
    ServiceManager.notify(.ready, .status("\(summary); reload rejected: \(first)"))
    return error
  }

  /// Reads the configuration again and returns the effect that a reload would have, without changing or logging
  /// anything.
  func forecast() throws(WireError) -> ReloadReply {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try stored.reread(source, PrivateDaemon.inputs).configuration
    } catch {
      throw WireError(error)
    }
    do throws(StartFailure) {
      for home in configuration.localHomes where hub.commits(of: home) == nil {
        _ = try stateFolder(home, configuration)
      }
    } catch { throw WireError(unusable: error) }
    let homes = hub.homes
    return ReloadReply(hub.runtime.forecast(configuration) { homes[$0]?.original(of: $0) })
  }

  private func apply(_ settings: ServerSettings) {
    connections.apply(settings.limits)
    listener.warnOfLimits()
    dispatcher.maximumDepth = settings.limits.depth
    dispatcher.observers = Members(settings.access.stats)
    dispatcher.adapterUsers = Members(settings.access.adapters)
    log.level = LogLevel(settings.log.level)
    putSignalsOnBus(settings)
    startBridge(stored.configuration)
  }

  /// Starts the adapter that comes with the daemon, or ends it: it runs where there are connections of its kinds, unless
  /// the service manager starts it.
  func startBridge(_ configuration: Configuration) {
    let program = configuration.server.bridge ?? (ServiceManager.isThere ? .service : .child)
    let isNeeded = configuration.adapterConnections.contains { PeerKind.bundled.contains($0.kind) }
    guard isNeeded, program == .child, !isEnding else {
      childBridge?.end(after: isEnding || isNeeded ? .zero : .seconds(2))
      childBridge = nil
      return
    }
    if childBridge == nil { childBridge = ChildBridge(connections, log: log) }
  }

  /// Joins the cluster that the configuration names, with its clustered graphs, or leaves another one.
  func joinCluster() {
    let configuration = stored.configuration
    let settings = configuration.clusteredHomes.isEmpty ? nil : configuration.server.cluster
    if let cluster, cluster.settings != settings {
      cluster.end()
      self.cluster = nil
    }
    guard let settings, !isEnding else { return }
    if cluster == nil {
      cluster = ClusterNode(settings, hub: hub, world: world, poller: poller, log: log) { [unowned self] in self.stored
      }
    }
    cluster?.apply(configuration)
  }

  /// Connects to the bus in the settings, and disconnects from another one.
  func putSignalsOnBus(_ settings: ServerSettings) {
    bus?.apply(settings.limits)
    if settings.dbus == bus?.settings { return }
    bus?.end(because: WireError(.shuttingDown, "the daemon no longer publishes signals on this bus"))
    bus = settings.dbus.map { dbus in
      BusService(
        dbus, host: world.systemBuses.host(dbus.bus), dispatcher, connections.ledger,
        socket: { [listener] in listener.path }, log: log)
    }
  }
}
