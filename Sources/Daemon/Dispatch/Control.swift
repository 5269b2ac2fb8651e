import GraphEngine
import GraphModel
import JSON
import Linux
import Signals
import WireProtocol

/// The daemon as requests see it: its identity, its statistics and its reload.
final class Control {
  /// Reads the configuration again, and applies it if it is valid.
  var reload: () throws(WireError) -> ReloadReply = { () throws(WireError) in
    throw WireError(.internal, "no configuration file to reload")
  }

  /// Reads the configuration again, and returns the effect that a reload would have.
  var forecast: () throws(WireError) -> ReloadReply = { () throws(WireError) in
    throw WireError(.internal, "no configuration file to reload")
  }

  /// Ends the adapter that the daemon has started itself.
  var evict: () -> Void = {}

  /// Returns the session of that adapter.
  var child: () -> Session? = { nil }

  /// Returns the state of the cluster; `nil` if the daemon is no node of one.
  var cluster: () -> ClusterReply? = { nil }

  /// The outcome and time of the last reload.
  var lastReload: (succeeded: Bool, time: MonotonicInstant)?

  /// Returns the paths of the configuration and of the state folder.
  var paths: () -> HelloReply.Paths? = { nil }

  /// Returns the counts of current clients.
  var census: () -> ClientCensus = { ClientCensus() }

  private let hub: Hub
  private let ledger: Ledger
  private let processStart = MonotonicInstant.now()
  /// The start of the first process in the chain of handovers.
  private var serviceStart = MonotonicInstant.now()
  private var startTime = WallTime.now()
  /// The number of handovers, and of clients in the last one.
  private var handovers: UInt64 = 0
  private var carriedOver: UInt64 = 0

  init(hub: Hub, ledger: Ledger) {
    self.hub = hub
    self.ledger = ledger
  }

  var lineLimit: Int { ledger.limits.line }

  /// The limits that clients need.
  var limits: JSONObject {
    let limits = ledger.limits
    return [
      "line": .number(Double(limits.line)), "depth": .number(Double(limits.depth)),
      "output": .number(Double(limits.output)),
    ]
  }

  /// - Parameters:
  ///   - relayedValues: The values that each count as a turn, though no graph had work to do.
  ///   - denials: The number of denied requests.
  func statistics(relayed relayedValues: UInt64, denials: UInt64) -> StatsReply.DaemonFigures {
    let census = census()
    var statistics = StatsReply.DaemonFigures()
    statistics.uptime = (MonotonicInstant.now() - serviceStart) / .seconds(1)
    statistics.processUptime = (MonotonicInstant.now() - processStart) / .seconds(1)
    statistics.handovers = handovers
    statistics.carriedOver = carriedOver
    statistics.startTime = Double(startTime.microseconds) / 1e6
    statistics.version = programVersion
    statistics.turnedAway = census.turnedAway
    statistics.denied = denials
    statistics.limits = usedLimits(census)
    statistics.lastReload = lastReload.map { ($0.succeeded, (MonotonicInstant.now() - $0.time) / .seconds(1)) }
    if let cluster = cluster() {
      statistics.cluster = cluster.graphs
      statistics.relayRestarts = cluster.connection["relay_restarts"] ?? 0
    }
    statistics.generation = Int(hub.runtime.generation)
    statistics.connections = census.count
    statistics.subscriptions = ledger.subscriptions
    statistics.heldBytes = ledger.heldBytes
    statistics.memoryBytes = CurrentProcess.residentBytes ?? 0
    statistics.turns = hub.runtime.turns + relayedValues
    for channel in hub.channels {
      statistics.values += channel.signal.sequence
      statistics.errors += channel.signal.losses.errors
      statistics.dropped += channel.signal.losses.dropped
      statistics.lost += channel.losses?.count ?? 0
      guard let ending = channel.signal.ending else { continue }
      statistics.ended += 1
      if case .failed = ending { statistics.failed += 1 }
    }
    return statistics
  }

  /// Returns the limits on current amounts, each with its use; for a limit per user or client, that is the highest one.
  private func usedLimits(_ census: ClientCensus) -> [StatsReply.UsedLimit] {
    let limits = ledger.limits
    return [
      .init("connections", used: census.count, of: limits.connections),
      .init("subscriptions", used: ledger.subscriptions, of: limits.subscriptions),
      .init("memory", used: ledger.heldBytes, of: limits.memory),
      .init("output", used: census.largestOutput, of: limits.output),
      .init("user.connections", used: ledger.greatest(\.connections), of: limits.user.connections),
      .init("user.subscriptions", used: ledger.greatest(\.subscriptions), of: limits.user.subscriptions),
      .init("user.memory", used: ledger.greatest(\.heldBytes), of: limits.user.memory),
      .init("client.subscriptions", used: census.mostSubscriptions, of: limits.client.subscriptions),
    ]
  }
}

// MARK: - Handover

extension Control: StateFields {
  func code(_ field: inout StateCoder<Control>) throws(StateError) {
    try field(&serviceStart)
    try field(&startTime)
    try field(\.handovers) { handovers = $0 + 1 }
    let (succeeded, time) = (try field { $0.lastReload?.succeeded }, try field { $0.lastReload?.time })
    if let succeeded, let time { lastReload = (succeeded, time) }
  }

  /// Sets the number of clients that were handed over.
  func noteCarriedOver(_ clients: Int) { carriedOver = UInt64(clients) }
}
