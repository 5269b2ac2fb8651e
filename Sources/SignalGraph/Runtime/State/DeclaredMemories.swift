/// Which sources and operators of each signal remember something.
///
/// They are asked rather than listed: all graphs are built once more, cut off from the world, and never start.
struct DeclaredMemories {
  private let rehearsal: Rehearsal

  init(of configuration: Configuration) {
    rehearsal = Rehearsal(configuration, keepsState: true)
    // Lazy ones are built for somebody who listens.
    for signal in rehearsal.runtime.signals where signal.isLazy { signal.arrive() }
    rehearsal.runtime.build(configuration.buildOrder)
  }

  /// The names of those of one signal, in the order of its declaration.
  func names(of signal: String) -> [String] {
    guard let signal = rehearsal.runtime.signal(named: signal) else { return [] }
    let places = signal.placesWithMemory
    return signal.declaration.body.steps.filter { places.contains($0.ranks.exit) }.map(\.name)
  }
}

extension SignalBody {
  /// Its source, its operators, and those of the signals that are declared on the spot within it.
  fileprivate var steps: [any PreparedStep] {
    let all = [source] + pipe as [any PreparedStep]
    return all.flatMap { step in
      let inner = step.references.flatMap { reference -> [any PreparedStep] in
        if case .inline(let body) = reference.target { body.steps } else { [] }
      }
      return inner + [step]
    }
  }
}
