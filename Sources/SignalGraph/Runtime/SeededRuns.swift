import JSON
import ReactiveCore

/// Runs that go on side by side, each saved with the value that it was started for.
final class SeededRuns {
  /// One of them.
  final class SeededRun {
    let seed: Payload
    fileprivate let run = RecipeRun()
    /// Whether its start has not returned: who starts it goes on with the next.
    var isStarting: Bool { run.isStarting }

    fileprivate init(_ seed: Payload) { self.seed = seed }
  }

  /// In the order in which they were started.
  private(set) var all: [SeededRun] = []
  private var kept: [(seed: Payload, run: StateReader)] = []

  /// Starts one; its observer is to remove it once it has ended.
  func start(_ recipe: Recipe, for seed: Payload, kept: StateReader?, _ observer: (SeededRun) -> StreamObserver) {
    let seeded = SeededRun(seed)
    all.append(seeded)
    seeded.run.start(recipe, kept: kept, observer(seeded))
  }

  /// Lets go of one silently.
  func remove(_ seeded: SeededRun) {
    seeded.run.stop()
    if let index = all.firstIndex(where: { $0 === seeded }) { all.remove(at: index) }
  }

  /// Lets go of all silently, but for one.
  func removeAll(but winner: SeededRun? = nil) {
    for loser in all where loser !== winner { loser.run.stop() }
    all.removeAll { $0 !== winner }
  }

  // MARK: Saving

  func store(in writer: inout StateWriter) {
    writer.count(all.count)
    for seeded in all {
      seeded.seed.store(in: &writer)
      seeded.run.store(in: &writer)
    }
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.count()) { kept.append((try Payload(from: &reader), try reader.part())) }
  }

  /// Has those of the saved state started again, each with what was kept of it.
  func resume(_ start: (_ seed: Payload, _ kept: StateReader) -> Void) {
    for (seed, kept) in kept { start(seed, kept) }
    kept = []
  }
}
