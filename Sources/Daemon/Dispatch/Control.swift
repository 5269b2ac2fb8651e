import JSON
import Linux
import ReactiveCore
import SignalGraph
import WireProtocol

/// The view of the whole daemon for requests: its identity, its counts, and the reading of its configuration again.
final class Control {
  /// Reads the configuration again, and swaps it in if all of it is right.
  var reload: () throws(WireError) -> ReloadReply = { () throws(WireError) in
    throw WireError(.internal, "nothing to reload from")
  }

  /// Reads the configuration again, and says what a reload would do.
  var forecast: () throws(WireError) -> ReloadReply = { () throws(WireError) in
    throw WireError(.internal, "nothing to reload from")
  }

  /// How the last reload went, and when.
  var lastReload: (succeeded: Bool, time: MonotonicInstant)?

  /// Counts the clients that there are now.
  var census: () -> ClientCensus = { ClientCensus() }

  private let hub: Hub
  private let ledger: Ledger
  private let processStart = MonotonicInstant.now()
  /// When the first of the processes began that have handed over to each other.
  private var serviceStart = MonotonicInstant.now()
  private var startTime = WallTime.now()
  /// How often they have, and how many clients the last one took over.
  private var handovers: UInt64 = 0
  private var carriedOver: UInt64 = 0

  init(hub: Hub, ledger: Ledger) {
    self.hub = hub
    self.ledger = ledger
  }

  var lineLimit: Int { ledger.limits.line }

  /// The limits that a client has to know.
  var limits: JSONObject {
    let limits = ledger.limits
    return [
      "line": .number(Double(limits.line)), "depth": .number(Double(limits.depth)),
      "output": .number(Double(limits.output)),
    ]
  }

  /// - Parameters:
  ///   - relayedValues: Each of them was a turn, though the graphs had nothing to do.
  ///   - denials: How many requests were denied.
  func statistics(relayed relayedValues: UInt64, denials: UInt64) -> StatsReply.Daemon {
    let census = census()
    var statistics = StatsReply.Daemon()
    statistics.uptime = (MonotonicInstant.now() - serviceStart) / .seconds(1)
    statistics.processUptime = (MonotonicInstant.now() - processStart) / .seconds(1)
    statistics.handovers = handovers
    statistics.carriedOver = carriedOver
    statistics.startTime = Double(startTime.microseconds) / 1e6
    statistics.version = version
    statistics.turnedAway = census.turnedAway
    statistics.denied = denials
    statistics.limits = usedLimits(census)
    statistics.lastReload = lastReload.map { ($0.succeeded, (MonotonicInstant.now() - $0.time) / .seconds(1)) }
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
      statistics.lost += channel.losses.count
      guard let ending = channel.signal.ending else { continue }
      statistics.ended += 1
      if case .failed = ending { statistics.failed += 1 }
    }
    return statistics
  }

  /// The limits of what can be had at once, each with what is had of it; of a limit for each user or client that is
  /// what the one with the most has.
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

// MARK: - Handing over

extension Control {
  func store(in writer: inout StateWriter) {
    serviceStart.nanoseconds.store(in: &writer)
    startTime.microseconds.store(in: &writer)
    handovers.store(in: &writer)
    (lastReload?.succeeded).store(in: &writer)
    (lastReload?.time.nanoseconds).store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    serviceStart = MonotonicInstant(nanoseconds: try Int64(from: &reader))
    startTime = WallTime(microseconds: try Int64(from: &reader))
    handovers = try UInt64(from: &reader) + 1
    let (succeeded, time) = (try Bool?(from: &reader), try Int64?(from: &reader))
    if let succeeded, let time { lastReload = (succeeded, MonotonicInstant(nanoseconds: time)) }
  }

  /// Counts the clients that were taken over.
  func noteCarriedOver(_ clients: Int) { carriedOver = UInt64(clients) }
}
