import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let unique = OperatorDeclaration.each(
    "unique", "Drops a value that occurred before, as far as remembered.",
    Parameter<GraphExpression?>("by", "the outputs to compare, instead of the values", initial: .some(nil)),
    Parameter<Int?>("max_keys", "the number of remembered keys", initial: .some(nil), minimum: 1, maximum: 1_000_000),
    Parameter<Duration?>("idle", "forget a value after this long without an occurrence", initial: .some(nil)),
    Parameter<OverflowPolicy>(
      "overflow", "at max_keys, forget the key longest unseen, drop values with a new one, or fail",
      initial: .dropOldest),
    example: OperatorExample("unique: {max_keys: 100}", in: "1-2-1-3|", out: "1-2---3|"),
    check: { _, keys, idle, _ in keys == nil && idle == nil ? "unbounded memory of values: give max_keys or idle" : nil
    }
  ) { context, by, keys, idle, overflow in
    let evaluator = by.map { context.evaluator(of: $0) }
    var known = RecentKeys<JSONValue>(limit: keys ?? 1_000_000, idle: idle)
    if let initial = context.valueBefore, let key = evaluator.map({ $0.firstIfAny(of: initial) }) ?? initial.value {
      known.insert(key, at: context.clock.now)
    }
    let seen = context.cell(known)
    return { payload, output in
      guard let key = evaluator.map({ $0.first(of: payload, refusingTo: output) }) ?? payload.value else { return }
      if seen.value.touch(key, at: context.clock.now) { return }
      if seen.value.isFull {
        switch overflow {
        case .fail: return output.send(error: .overflow(keys ?? 0, in: "unique"))
        case .dropNewest: return context.dropOne(past: keys ?? 0, "values")
        case .dropOldest: seen.value.removeOldest()
        }
      }
      seen.value.insert(key, at: context.clock.now)
      output.send(value: payload)
    }
  }
  .alsoKnown(as: "distinct", "uniqueValues", "dedupe", "deduplicate", "distinct values")
}
