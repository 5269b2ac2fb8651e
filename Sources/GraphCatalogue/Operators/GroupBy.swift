import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let groupBy = OperatorDeclaration(
    "group_by", "Runs a pipe for each key, which sees it as $key, and emits the values of all these pipes.",
    Parameter<GraphExpression>("key", "the key of a value"),
    Parameter<Duration?>(
      "idle", "end a key after this long without a value", initial: .some(nil), shortest: .milliseconds(1)),
    Parameter<Int?>(
      "max_keys", "the maximum number of keys", initial: .some(nil), minimum: 1, maximum: 1_000_000),
    Parameter<OverflowPolicy>(
      "overflow", "at max_keys, end the oldest key, drop values with a new one, or fail", initial: .dropOldest),
    Parameter<PipeParameter>("pipe", "the operators", variables: ["key"]),
    dependence: .memory,
    example: OperatorExample(
      "group_by: {key: .id, max_keys: 100, pipe: [{scan: {initial: 0, next: $state + .n}}]}", in: "a-b-a-b|",
      out: "1-3-2-6|", values: "{a: {id: x, n: 1}, b: {id: y, n: 3}}"),
    check: { _, idle, keys, _, _ in
      idle == nil && keys == nil ? "unbounded memory of keys: give max_keys or idle" : nil
    }
  ) { input, context, key, idle, keys, overflow, pipe in
    context.remember(pipe.references)
    let input = context.gated(input, before: pipe.references)
    let evaluator = context.evaluator(of: key)
    return Stream { output, lifetime in
      let groups = Groups(context, pipe, idle: idle, limit: keys ?? 1_000_000, overflow, output)
      lifetime.observeEnded { groups.stop() }
      groups.resume()
      lifetime += input.observe(
        StreamObserver(
          value: { payload in
            guard let key = evaluator.first(of: payload, refusingTo: output) else { return }
            groups.receive(payload, key: key)
          },
          ending: { groups.end($0) }))
    }
  }
  .alsoKnown(as: "partition", "groupBy", "per key", "key by", "keyed", "shard")
}
