import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let concat = SourceDeclaration(
    "concat", "Emits its signals one after the other; earlier values of a shared one are queued.",
    kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    Parameter<Int>("limit", "the queue capacity of each signal", .beside, initial: defaultWaiting, minimum: 1),
    Parameter<OverflowPolicy>(
      "overflow", "at the limit, fail or drop the oldest or newest value", .beside, initial: .fail),
    dependence: .memory
  ) { context, signals, limit, overflow in
    let references = signals.references[...]
    return Stream { output, lifetime in
      let rest = references.dropFirst()
      let first = context.gated(context.stream(of: references[0]), beforeStarting: rest)
      let others = rest.enumerated().map { number, reference in
        let next = context.following(reference, limit: limit, overflow, failing: output, lifetime)
        return context.gated(next, beforeStarting: rest.dropFirst(number + 1))
      }
      context.concat(first, others, output, lifetime)
    }
  }
}

extension OperatorContext {
  /// Concatenates streams: each starts after the completion of its predecessor.
  func concat(_ first: Stream, _ others: [Recipe], _ output: StreamObserver, _ lifetime: Lifetime) {
    let succession = Succession(self, output, lifetime, limit: others.count) { number in
      others[number - 1]
    } verdict: { number, ending in
      if case .completed = ending, number < others.count { .next } else { .end(ending) }
    }
    succession.begin(with: first, lifetime)
  }
}
