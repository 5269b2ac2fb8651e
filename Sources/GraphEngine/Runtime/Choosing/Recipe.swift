package import GraphModel
import JSON
package import Signals

/// The instructions for starting a part of a body, as often as its operator chooses: each run is a body of its own.
package struct Recipe {
  /// The body that it is a part of.
  let parent: RunningBody
  /// The place of the operator that starts it.
  let place: DeclaredPlace
  /// The variables of its expressions, after those of the body.
  var variables: [JSONValue] = []
  var view = RunningBody.View.fromNowOn
  let make: (RunningBody) -> Stream

  /// Returns a recipe with `change` applied to its stream.
  func through(_ change: @escaping (Stream) -> Stream) -> Recipe {
    Recipe(parent: parent, place: place, variables: variables, view: view) { change(make($0)) }
  }
}

/// One run of a recipe, until it has ended or is stopped.
package final class RecipeRun {
  private var body: RunningBody?
  private var observation: (any Disposable)?
  /// True once no more events follow.
  private(set) var isOver = false
  /// True until its start has returned.
  private(set) var isStarting = false

  package init() {}

  /// Starts it; the observer receives the ending once all resources of the run have been released.
  ///
  /// A run that is started while its parent is being built is a part of that, and begins with it; a later one was
  /// chosen, and has emitted its first values when this returns. One with a saved state resumes silently.
  package func start(_ recipe: Recipe, kept: StateDecoder? = nil, _ observer: StreamObserver) {
    isStarting = true
    defer { isStarting = false }
    if let kept, kept.isAtEnd {
      isOver = true
      return
    }
    let parent = recipe.parent
    let (signal, engine) = (parent.signal, parent.engine)
    if parent.isBuilt, let failure = signal.tally.refusalOfRun(in: engine.turns.number, limit: engine.limits.turn) {
      isOver = true
      return observer.send(error: failure)
    }
    let body = RunningBody(
      of: signal, for: parent.owner, variables: parent.variables + recipe.variables,
      view: parent.isBuilt ? recipe.view : parent.view, kept: kept)
    self.body = body
    engine.recorder?.note(body, asPartOf: parent)
    observation = body.build(at: recipe.place.index, recipe.make).observe(
      StreamObserver(
        value: { [self] value in
          if !isOver { observer.send(value: value) }
        },
        ending: { [self] ending in
          guard !isOver else { return }
          stop()
          observer.send(ending)
        }))
    guard !isOver else { return stop() }
    if parent.isBuilt { engine.turns.settle(below: recipe.place.rank) { body.start() } } else { parent.add(body) }
  }

  /// Stops it silently.
  package func stop() {
    isOver = true
    observation?.dispose()
    observation = nil
    body?.end()
  }

  /// Encodes it, as empty once it is over.
  package func encode(to writer: inout StateEncoder) {
    writer.part { if !isOver { body?.encode(to: &$0) } }
  }
}
