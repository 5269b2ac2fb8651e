import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let race = SourceDeclaration(
    "race", "Follows the signal that emits or ends first, and cancels the others.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    dependence: .memory
  ) { context, signals in
    context.race(signals.references.map { .recipe(context.recipe(of: $0)) })
  }
}

/// A participant in a race.
enum Entrant {
  case stream(Stream)
  case recipe(Recipe)
}

extension OperatorContext {
  /// Emits the events of the first entrant to emit; the others are disposed of.
  ///
  /// In one turn, the first in the list wins.
  func race(_ entrants: [Entrant]) -> Stream {
    // Closures that save the state must not keep the entrants running.
    let numbers = entrants.indices
    let winner = cell(Int?.none) { $0.map(numbers.contains) ?? true }
    let kept = entrants.map { _ in KeptRun() }
    let runs = entrants.map { _ in SerialDisposable() }
    let streams = entrants.indices.map { index in
      if let winner = winner.value, winner != index { return Stream.never }
      return Stream { output, lifetime in
        lifetime += runs[index]
        runs[index].inner = start(entrants[index], as: kept[index], output)
      }
    }
    return join(streams.map { RestartableInput($0) }) { inbox, output in
      if winner.value == nil {
        winner.value = inbox.firstIndex { !$0.isEmpty }
        for (index, run) in runs.enumerated() where index != winner.value { run.dispose() }
      }
      for event in winner.value.map({ inbox[$0] }) ?? [] { output.send(event) }
    }
  }

  private func start(_ entrant: Entrant, as run: KeptRun, _ output: StreamObserver) -> (any Disposable)? {
    switch entrant {
    case .stream(let stream): return stream.observe(output)
    case .recipe(let recipe):
      run.start(recipe, output)
      return AnyDisposable { run.stop() }
    }
  }
}
