package import GraphModel
package import JSON
package import Signals

/// Concurrent runs, each saved with the value that it was started for.
package final class SeededRuns: StateRestorable {
  /// A run with its value.
  package final class SeededRun {
    package let seed: Payload
    fileprivate let run = RecipeRun()
    /// True until its start has returned; its starter continues with the next one then.
    var isStarting: Bool { run.isStarting }

    fileprivate init(_ seed: Payload) { self.seed = seed }
  }

  /// The runs in the order of their start.
  package private(set) var all: [SeededRun] = []
  private var kept: [(seed: Payload, run: StateDecoder)] = []

  package init() {}

  /// Starts a run; its observer must remove it once it has ended.
  package func start(
    _ recipe: Recipe, for seed: Payload, kept: StateDecoder?, _ observer: (SeededRun) -> StreamObserver
  ) {
    let seeded = SeededRun(seed)
    all.append(seeded)
    seeded.run.start(recipe, kept: kept, observer(seeded))
  }

  /// Stops and removes a run silently.
  package func remove(_ seeded: SeededRun) {
    seeded.run.stop()
    if let index = all.firstIndex(where: { $0 === seeded }) { all.remove(at: index) }
  }

  /// Stops and removes all runs silently, except one.
  package func removeAll(but winner: SeededRun? = nil) {
    for loser in all where loser !== winner { loser.run.stop() }
    all.removeAll { $0 !== winner }
  }

  // MARK: Saving

  package func encode(to writer: inout StateEncoder) {
    writer.count(all.count)
    for seeded in all {
      seeded.seed.encode(to: &writer)
      seeded.run.encode(to: &writer)
    }
  }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) { kept.append((try Payload(from: &reader), try reader.part())) }
  }

  /// Starts the saved runs again, each with its state.
  package func resume(_ start: (_ seed: Payload, _ kept: StateDecoder) -> Void) {
    for (seed, kept) in kept { start(seed, kept) }
    kept = []
  }
}
