import Expressions
import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let call = OperatorDeclaration(
    "call", "Calls an action of the graph for each value, and emits what it puts out.",
    Parameter<ActionReference>("action", "the action", .plain),
    Parameter<GraphExpression?>(
      "with", "what the action is called with; the value itself if it is left out", initial: .some(nil)),
    Parameter<CallStrategy>(
      "strategy",
      "what becomes of a value while a call runs: it waits (concat), ends that call (latest), is left out (first), or "
        + "is called for beside it (merge)", initial: .concat),
    Parameter<Int?>(
      "concurrent", "with merge, how many calls run at the same time; 8 by default", initial: .some(nil), minimum: 1),
    Parameter<Int?>(
      "limit", "with concat and merge, how many values may wait; 1000 by default", initial: .some(nil), minimum: 1),
    Parameter<OverflowPolicy>("overflow", "at the limit: fail, or drop the oldest or newest value", initial: .fail),
    Parameter<CallRetry?>("retry", CallRetry.meaning, initial: .some(nil)),
    example: OperatorExample(
      "call: lamp", in: "a----|", programs: ["lamp": "-xy|"], out: "-xy--|"),
    check: { _, _, strategy, concurrent, limit, _, _ in
      if concurrent != nil, strategy != .merge { return "concurrent goes with strategy: merge" }
      return limit != nil && strategy != .concat && strategy != .merge
        ? "limit goes with strategy: concat and merge" : nil
    }
  ) { input, context, action, with, strategy, concurrent, limit, overflow, retry in
    let calls = PipedCalls(of: action.name, in: context, with: with, retry, areConcurrent: strategy == .merge)
    let waiting = Waiting<Payload>(limit: limit ?? defaultWaiting, overflow: overflow, context)
    let gate = CallGate(action, context)
    let input = context.input(input).through { gate.passing($0) }
    return Chooser.stream(of: input, in: context.signal, strategy.chooser(concurrent), waiting) { payload, _ in
      calls.recipe(for: payload)
    }
  }
}

/// The fate of a value that comes while a call runs.
enum CallStrategy: String, WordParameter {
  case concat, latest, first, merge

  fileprivate func chooser(_ concurrent: Int?) -> Chooser.Strategy {
    switch self {
    case .concat: .concurrent(1)
    case .latest: .latest
    case .first: .first
    case .merge: .concurrent(concurrent ?? 8)
    }
  }
}

/// Lets those values pass for which an action may be called; others are dropped and counted.
private final class CallGate {
  private let action: ActionReference
  private let context: OperatorContext
  private let isAllowed: Cell<Bool>
  /// Whether the last value was dropped.
  private let isDropping: Cell<Bool>

  init(_ action: ActionReference, _ context: OperatorContext) {
    self.action = action
    self.context = context
    isAllowed = context.cell(false)
    isDropping = context.cell(false)
    let (lifetime, token) = Lifetime.make()
    context.body.onEnd { token.dispose() }
    // One that has ended leaves things as they are.
    Hearing(context.input(of: action.condition), in: context.signal, lifetime) { [isAllowed] event in
      if let payload = event.value { isAllowed.value = payload.value.isTrue }
    }.begin()
  }

  /// The values of a stream that pass, each looked at once the action's condition is settled.
  func passing(_ input: Stream) -> Stream {
    context.gated(input, before: action.condition).through { [self] payload, output in
      if isAllowed.value { output.send(value: payload) } else { drop() }
      isDropping.value = !isAllowed.value
    }
  }

  /// Counts a value that is dropped, with a word about the first.
  private func drop() {
    context.signal.count(.drop)
    if !isDropping.value {
      context.world.log("\(action.name) is not enabled: it is called for no value", signal: context.signal.name)
    }
  }
}
