package import GraphModel
package import ReactiveCore

/// A body that is built and saved with another one.
final class KeptBody: KeptMemory {
  /// Its saved state, until it is built.
  private(set) var kept: StateDecoder?
  var body: RunningBody?

  init() { keep() }

  func encode(to writer: inout StateEncoder) { writer.part { body?.encode(to: &$0) } }

  func restore(from reader: inout StateDecoder) throws(StateError) { kept = try reader.part() }
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
