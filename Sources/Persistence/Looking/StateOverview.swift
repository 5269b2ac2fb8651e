package import Journal
import ReactiveCore
import SignalGraph

/// The contents of a folder, graph by graph, for people who look at it.
package struct StateOverview {
  /// A durable graph, as far as the one journal of all of them can be told apart.
  package struct Graph {
    package let name: String
    /// How many of its signals are durable.
    package var signals = 0
    /// The bytes that its signals take in a snapshot.
    package var bytes = 0
    /// How many messages of clients are remembered.
    package var messages = 0
    /// The values that came to its signals from clients and from other graphs since the newest snapshot.
    package var values = 0
    /// When the last of these came, in microseconds since 1970.
    package var lastValue: Int64?
  }

  /// The values of clients and other graphs that are worked out in a second, at least.
  package static let recoveryRate = 500_000

  package private(set) var graphs: [Graph] = []
  /// The number of the last commit that is sound.
  package private(set) var lastCommit: UInt64 = 0
  /// The commits behind the newest snapshot, and the values in them: recovery works these out.
  package private(set) var commitsBehind: UInt64 = 0
  package private(set) var valuesBehind = 0

  /// Seconds that recovery would take.
  package var recoverySeconds: Double { Double(valuesBehind) / Double(Self.recoveryRate) }

  /// Works out how the graphs stand.
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
    graphs = replay.configuration.graphs.filter { $0.durability != nil }.map { declared in
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
  /// The signal that an entry is for, if it is for one.
  func target(of entry: Entry) -> String? {
    switch entry {
    case .value(_, let place, _), .values(_, let place, _), .ending(_, let place, _), .crossing(_, let place),
      .listening(_, let place):
      places.indices.contains(Int(place)) ? places[Int(place)].name : nil
    case .timers, .restart, .world, .content, .appended: nil
    }
  }
}
