import GraphEngine
import GraphModel
import Signals
package import StateLog

/// The move of a durable graph from a state folder to the log that the nodes of a cluster share.
package struct ClusterTransfer {
  /// The first snapshot of the log.
  package let snapshot: Snapshot
  /// The signals whose state is kept.
  package let kept: [String]
  /// The signals that start without one, since they are declared in another way now.
  package let changed: [String]

  /// Takes the state of a graph.
  ///
  /// - Parameter configuration: The configuration of the nodes, in which the graph is clustered.
  package init(
    of graph: String, in folder: FolderReader, under configuration: StoredConfiguration
  ) throws(StorageError) {
    let replay = try folder.atOneMoment { () throws(StorageError) in try Replay(reading: folder) }
    guard let replay else { throw StorageError(.missing, "the state folder is empty") }
    guard let recorded = replay.configuration.graphs.first(where: { $0.name == graph }), recorded.home == .folder else {
      let names = replay.configuration.graphs(in: .folder).map(\.name)
      throw StorageError(
        .missing, "the folder has no state of graph \"\(graph)\"; it has \(names.joined(separator: ", "))")
    }
    let home = Home.stream(graph: graph, partition: 0)
    do throws(StateError) {
      let old = try Self.moved(replay.stored, graph, to: home)
      let changes = ConfigurationChanges(
        from: old, to: configuration.configuration, running: old.server, generation: 1, discarding: replay.discarded)
      let durable = DurableRuntime(
        old.part(of: home), world: DurableWorld(.stateLog), mirrors: DurableRuntime.mirrors(in: home),
        isResuming: true)
      try durable.resume(replay.durable.state(), .recorded, isPart: true)
      for name in replay.configuration.graphs.map(\.name) where name != graph { durable.removeMessages(of: name) }
      durable.reload(
        configuration.configuration.part(of: home), as: changes, numbers: [:], attended: [], at: replay.durable.time)
      let names = configuration.configuration.graphs(in: home).flatMap(\.signals).filter(\.isDurable).map(\.name)
      kept = names.filter(changes.kept.contains)
      changed = names.filter { !changes.kept.contains($0) }
      snapshot = Snapshot(
        1, at: replay.durable.time.microseconds, of: durable, owing: OwedWritings(), configuration)
    } catch {
      throw StorageError(.damaged, "cannot take the state of graph \"\(graph)\": \(error.message)")
    }
  }

  /// Returns a configuration as if a graph of it had always been at home in the log.
  private static func moved(
    _ stored: StoredConfiguration, _ graph: String, to home: Home
  ) throws(StateError) -> Configuration {
    let bytes = stored.bytes
    let read: Result<Configuration, StateError> = Home.$ofGraph.withValue({ $0 == graph ? home : .folder }) {
      do throws(StateError) { return .success(try StoredConfiguration(bytes).configuration) } catch {
        return .failure(error)
      }
    }
    return try read.get()
  }
}
