package import GraphModel
package import Signals

/// A body that is built and saved with another one.
final class KeptBody: KeptMemory, StateFields {
  /// Its saved state, until it is built.
  private(set) var kept: StateDecoder?
  var body: RunningBody?

  init() { keep() }

  func code(_ field: inout StateCoder<KeptBody>) throws(StateError) {
    try field.part({ $0.body?.encode(to: &$1) }) { kept = $0 }
  }
}

/// A run that is started and saved with a body.
package final class KeptRun: KeptMemory {
  private let run = RecipeRun()
  private var kept: StateDecoder?

  package init() { keep() }

  package func start(_ recipe: Recipe, _ observer: StreamObserver) { run.start(recipe, kept: kept.take(), observer) }

  package func stop() { run.stop() }

  package func encode(to writer: inout StateEncoder) { run.encode(to: &writer) }

  package func restore(from reader: inout StateDecoder) throws(StateError) { kept = try reader.part() }
}
