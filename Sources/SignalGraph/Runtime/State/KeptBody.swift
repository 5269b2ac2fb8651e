import JSON
import ReactiveCore

/// A body that is built with another one, and saved with it.
final class KeptBody: KeptMemory {
  /// Its saved state, until it is built.
  private(set) var kept: StateReader?
  var body: RunningBody?

  init() { keep() }

  func store(in writer: inout StateWriter) { writer.part { body?.store(in: &$0) } }

  func restore(from reader: inout StateReader) throws(StateError) { kept = try reader.part() }
}

/// A run that is started with a body, and saved with it.
final class KeptRun: KeptMemory {
  private let run = RecipeRun()
  private var kept: StateReader?

  init() { keep() }

  func start(_ recipe: Recipe, _ observer: StreamObserver) { run.start(recipe, kept: kept.take(), observer) }

  func stop() { run.stop() }

  func store(in writer: inout StateWriter) { run.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) { kept = try reader.part() }
}
