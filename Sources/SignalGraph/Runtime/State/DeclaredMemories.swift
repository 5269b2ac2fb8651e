import ReactiveCore

/// Which sources and operators of each signal remember something.
///
/// They are asked rather than listed: a body of the signal is built once more, cut off from the world, and not started.
struct DeclaredMemories {
  private let runtime: GraphRuntime

  init(of configuration: Configuration) {
    runtime = GraphRuntime(
      configuration, world: SilentWorld(), now: .zero, wallOffset: 0, keepsState: true, isResuming: true)
    // A lazy one that is built because another one is computed from it stays for the next.
    for signal in runtime.signals where signal.isLazy { signal.arrive() }
  }

  /// The names of those of one signal, in the order of its declaration.
  func names(of signal: String) -> [String] {
    guard let signal = runtime.signal(named: signal) else { return [] }
    let body = RunningBody(of: signal, for: BodyOwner(signal: signal), view: .fromNowOn)
    defer { body.end() }
    _ = body.build()
    let places = body.placesWithMemory
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
