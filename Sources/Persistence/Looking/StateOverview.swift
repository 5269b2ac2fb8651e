import GraphEngine
import GraphModel
import Signals
package import StateLog

/// A summary of a folder's contents by graph.
package struct StateOverview {
  /// A durable graph's share of the common log.
  package struct Graph {
    package let name: String
    /// The number of durable signals.
    package var signals = 0
    /// The size of its signals in a snapshot, in bytes.
    package var bytes = 0
    /// The number of client messages on record.
    package var messages = 0
    /// The number of values from clients and other graphs since the newest snapshot.
    package var values = 0
    /// The time of the last of these, in microseconds since 1970.
    package var lastValue: Int64?
  }

  /// A lower bound of the replay rate, in values of clients and other graphs per second.
  package static let recoveryRate = 500_000

  package private(set) var graphs: [Graph] = []
  /// The number of the last valid commit.
  package private(set) var lastCommit: UInt64 = 0
  /// The commits after the newest snapshot and their values, which recovery replays.
  package private(set) var commitsBehind: UInt64 = 0
  package private(set) var valuesBehind = 0

  /// The estimated recovery time in seconds.
  package var recoverySeconds: Double { Double(valuesBehind) / Double(Self.recoveryRate) }

  /// Recovers the graphs and summarizes them.
  package init(of folder: FolderReader) throws(StorageError) {
    var received: [String: (values: Int, last: Int64)] = [:]
    var values = 0
    let replay = try Replay(reading: folder) { replay in
      replay.onEntry = { [unowned replay] entry, time in
        values += entry.valueCount
        guard entry.valueCount > 0, let name = replay.durable.target(of: entry) else { return }
        let graph = SignalName.graph(of: name)
        received[graph] = ((received[graph]?.values ?? 0) + entry.valueCount, time.microseconds)
      }
    }
    guard let replay else { return }
    lastCommit = replay.lastCommit
    commitsBehind = replay.lastCommit - replay.firstCommit
    valuesBehind = values
    let sizes = replay.durable.runtime.stateSizes
    graphs = replay.configuration.graphs(in: replay.origin.home).map { declared in
      var graph = Graph(name: declared.name)
      let signals = declared.signals.filter(\.isDurable)
      graph.signals = signals.count
      graph.bytes = signals.reduce(0) { $0 + (sizes[$1.name] ?? 0) }
      graph.messages = replay.durable.messages[declared.name]?.count ?? 0
      graph.values = received[declared.name]?.values ?? 0
      graph.lastValue = received[declared.name]?.last
      return graph
    }
  }
}

extension DurableRuntime {
  /// Returns the receiving signal of an entry, if there is one.
  func target(of entry: Entry) -> String? {
    switch entry {
    case .value(_, let place, _), .values(_, let place, _), .ending(_, let place, _), .crossing(_, let place),
      .listening(_, let place):
      places.indices.contains(Int(place)) ? places[Int(place)].name : nil
    case .timers, .restart, .world, .content, .appended, .replaced, .progress: nil
    }
  }
}
