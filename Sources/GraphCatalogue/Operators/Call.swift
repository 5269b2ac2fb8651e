import Expressions
import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let call = OperatorDeclaration(
    "call", "Calls an action of the graph for each value, and emits its outputs.",
    Parameter<ActionReference>("action", "the action", .plain),
    Parameter<GraphExpression?>(
      "with", "the value for the action; by default the value itself", initial: .some(nil)),
    Parameter<CallStrategy>(
      "strategy",
      "the treatment of a value during a call: queue it (concat), stop that call and start the next one once its "
        + "process group has exited (latest), drop it (first), or call concurrently (merge)", initial: .concat),
    Parameter<Int?>(
      "concurrent", "with merge and with order: none, the number of concurrent calls; 8 by default",
      initial: .some(nil), minimum: 1),
    Parameter<Int?>(
      "limit", "with concat and merge, the queue capacity; 1000 by default", initial: .some(nil), minimum: 1),
    Parameter<CallOverflow>(
      "overflow",
      "at the limit: fail, drop the oldest or newest value, or block, which pauses the senders as a subscriber that "
        + "blocks", initial: .fail),
    Parameter<CallRetry?>("retry", CallRetry.meaning, initial: .some(nil)),
    Parameter<DeadLetterReference?>(
      "dead_letter", "an input for values whose call has failed for good, as {value, error}", initial: .some(nil)),
    Parameter<CallOrder>(
      "order",
      "the order of values: later ones wait behind a call and its retries (kept), or are called for meanwhile (none)",
      initial: .kept),
    Parameter<CallBatch?>(
      "batch", "several values in one call, as a list: by count, time or bytes",
      initial: .some(nil)),
    example: OperatorExample(
      "call: lamp", in: "a----|", programs: ["lamp": "-xy|"], out: "-xy--|"),
    check: { _, _, strategy, concurrent, limit, overflow, retry, _, order, batch in
      let isQueued = strategy == .concat || strategy == .merge
      if concurrent != nil, strategy != .merge, strategy != .concat || order != .none {
        return "concurrent requires strategy: merge or order: none"
      }
      if limit != nil, !isQueued { return "limit requires strategy: concat or merge" }
      if overflow == .block, !isQueued { return "overflow: block requires strategy: concat or merge" }
      if order == .none, !isQueued { return "order: none requires strategy: concat or merge" }
      return batch != nil && !isQueued ? "batch requires strategy: concat or merge" : nil
    },
    advice: { action, _, _, _, _, _, retry, _, _, _ in
      guard let reasons = retry?.impossibleReasons(of: action), !reasons.isEmpty else { return nil }
      return
        "retry: calls of \(action.name) never fail with \(reasons.joined(separator: ", ")): on is for the failures of "
        + "requests; without it a call is tried again after any failure"
    }
  ) { input, context, action, with, strategy, concurrent, limit, overflow, retry, deadLetter, order, batch in
    let calls = PipedCalls(
      of: action.name, in: context, with: with, retry, deadLetter, areConcurrent: strategy == .merge || order == .none)
    let limit = limit ?? defaultWaiting
    var waiting = Waiting<Payload>(limit: limit, overflow: overflow.policy, context)
    waiting.onChange = calls.backlog.counting(limit: overflow == .block ? limit : nil)
    let gate = CallGate(action, context)
    let batches = batch.map { CallBatches($0, in: calls.backlog, context) }
    let input = context.input(input).through {
      let passing = gate.passing($0)
      return batches?.stream(of: passing) ?? passing
    }
    if order == .none { calls.aside = ChosenAside(most: limit) }
    return Chooser.stream(
      of: input, in: context.signal, strategy.chooser(concurrent, order, context.rules), waiting, aside: calls.aside
    ) { payload, _ in calls.recipe(for: payload) }
  }
  .alsoKnown(as: "webhook", "notify", "run program", "do", "effect", "side effect", "tap", "action", "command")
}

/// The treatment of a value beyond the limit of a call.
enum CallOverflow: String, WordParameter {
  case fail
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
  /// Senders wait.
  case block

  fileprivate var policy: OverflowPolicy? {
    switch self {
    case .fail: .fail
    case .dropOldest: .dropOldest
    case .dropNewest: .dropNewest
    case .block: nil
    }
  }
}

/// The order of calls around one that is to be tried again.
enum CallOrder: String, WordParameter {
  case kept, none
}

/// The treatment of a value that arrives while a call is running.
enum CallStrategy: String, WordParameter {
  case concat, latest, first, merge

  /// The number of concurrent calls where none is given.
  private static let usualConcurrency = 8

  fileprivate func chooser(_ concurrent: Int?, _ order: CallOrder, _ rules: GraphRules) -> Chooser.Strategy {
    switch self {
    case .concat where order == .none && rules >= .third: .concurrent(concurrent ?? Self.usualConcurrency)
    case .concat: .concurrent(1)
    case .latest: .latest
    case .first: .first
    case .merge: .concurrent(concurrent ?? Self.usualConcurrency)
    }
  }
}

/// Passes the values for which an action may be called; drops and counts the others.
private final class CallGate {
  private let action: ActionReference
  private let context: OperatorContext
  private let isAllowed: Cell<Bool>
  /// True after a dropped value, since only the first of several drops is logged.
  private let isDropping: Cell<Bool>

  init(_ action: ActionReference, _ context: OperatorContext) {
    self.action = action
    self.context = context
    // In a durable graph the condition comes from outside, after the first values.
    isAllowed = context.cell(context.rules >= .third && context.action(named: action.name).isUnconditional)
    isDropping = context.cell(false)
    let (lifetime, token) = Lifetime.make()
    context.body.onEnd { token.dispose() }
    // The end of the condition does not change its last value.
    UpstreamSubscription(context.input(of: action.condition), in: context.signal, lifetime) { [isAllowed] event in
      if let payload = event.value { isAllowed.value = payload.value.isTrue }
    }.begin()
  }

  /// Returns the values that pass; each is checked once the action's condition has settled.
  func passing(_ input: Stream) -> Stream {
    context.gated(input, before: action.condition).through { [self] payload, output in
      if isAllowed.value { output.send(value: payload) } else { drop() }
      isDropping.value = !isAllowed.value
    }
  }

  /// Counts a dropped value and logs the first.
  private func drop() {
    context.signal.count(.drop)
    if !isDropping.value {
      context.world.log("\(action.name) is not enabled: dropping values", signal: context.signal.name)
    }
  }
}
