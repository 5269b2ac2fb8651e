import GraphModel
import Signals

/// The sources and operators of each signal that have a memory.
///
/// They are found by building a body of the signal once more, detached from the world and not started.
struct DeclaredMemories {
  private let runtime: GraphRuntime

  init(of configuration: Configuration) {
    runtime = GraphRuntime(
      configuration, world: SilentWorld(), now: .zero, wallOffset: 0, keepsState: true, isResuming: true)
    // A lazy signal that is built because another one is computed from it stays for the next.
    for signal in runtime.signals where signal.isLazy { signal.addSubscriber() }
  }

  /// Returns the names of the steps of one signal that have a memory, in the order of its declaration.
  func names(of signal: String) -> [String] {
    guard let signal = runtime.signal(named: signal) else { return [] }
    let body = RunningBody(of: signal, for: BodyOwner(signal: signal), view: .fromNowOn)
    defer { body.end() }
    _ = body.build()
    let steps = signal.declaration.body.steps
    let places = steps.reduce(into: body.placesWithMemory) { $0.formUnion(self.places(startedBy: $1, in: body)) }
    return steps.filter { places.contains($0.ranks.exit) }.map(\.name)
  }

  /// Returns the places with a memory in the parts that an operator starts: each run has a body of its own.
  private func places(startedBy step: any PreparedStep, in body: RunningBody) -> Set<Int> {
    let route = ErrorRoute(.drop)
    var parts = step.inlineBodies.map { inline in { (run: RunningBody) in run.stream(of: inline, onError: route) } }
    if let inner = (step as? any PreparedOperator)?.steps, !inner.isEmpty {
      parts.append { $0.stream(of: inner, behind: .never, onError: route) }
    }
    return parts.reduce(into: []) { places, make in
      let (run, _) = body.part(at: step.ranks.exit, make)
      places.formUnion(run.placesWithMemory)
      run.end()
    }
  }
}

extension PreparedStep {
  /// The signals declared inline for it.
  fileprivate var inlineBodies: [SignalBody] {
    references.compactMap { reference in
      if case .inline(let body) = reference.target { body } else { nil }
    }
  }
}

extension SignalBody {
  /// Its source, its operators, those within them, and those of the signals declared inline within it.
  fileprivate var steps: [any PreparedStep] { Self.steps([source] + pipe) }

  private static func steps(_ all: [any PreparedStep]) -> [any PreparedStep] {
    all.flatMap { step in
      step.inlineBodies.flatMap(\.steps) + steps((step as? any PreparedOperator)?.steps ?? []) + [step]
    }
  }
}
