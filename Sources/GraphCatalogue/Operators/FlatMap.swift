import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let flatMap = OperatorDeclaration(
    "flat_map", "Starts a signal for each value, which sees it as $value, and emits the values of all these signals.",
    Parameter<SignalReference?>(
      "latest",
      "start it for each value in place of the previous one; a program stopped for that has exited, with its process "
        + "group, before the next one starts", initial: .some(nil), variables: ["value"]),
    Parameter<SignalReference?>(
      "merge", "start it for each value, several concurrently", initial: .some(nil), variables: ["value"]),
    Parameter<SignalReference?>(
      "concat", "start it for each value, one after the other", initial: .some(nil), variables: ["value"]),
    Parameter<SignalReference?>(
      "first", "start it for a value unless the previous one is running", initial: .some(nil), variables: ["value"]),
    Parameter<SignalReference?>(
      "race", "start it for each value until one emits, and keep that one", initial: .some(nil), variables: ["value"]),
    Parameter<Int?>(
      "concurrent", "with merge, the number of concurrent signals; 8 by default", initial: .some(nil), minimum: 1),
    Parameter<Int?>(
      "limit", "with merge and concat, the queue capacity; 1000 by default", initial: .some(nil), minimum: 1),
    Parameter<OverflowPolicy>("overflow", "at the limit, fail or drop the oldest or newest value", initial: .fail),
    dependence: .memory,
    example: OperatorExample(
      "flat_map: {latest: {interval: 1s, pipe: [{map: $value}, {take: 2}]}}", in: "a----bc-----|",
      out: "-aa----cc---|"),
    check: { latest, merge, concat, first, race, concurrent, limit, _ in
      if [latest, merge, concat, first, race].count(where: { $0 != nil }) != 1 {
        return "give exactly one of latest, merge, concat, first and race"
      }
      if concurrent != nil, merge == nil { return "concurrent requires merge" }
      return limit != nil && merge == nil && concat == nil ? "limit requires merge or concat" : nil
    }
  ) { input, context, latest, merge, concat, first, race, concurrent, limit, overflow in
    let strategies: [(SignalReference?, Chooser.Strategy)] = [
      (latest, .latest), (merge, .concurrent(concurrent ?? 8)), (concat, .concurrent(1)), (first, .first),
      (race, .race),
    ]
    guard case (let inner?, let strategy)? = strategies.first(where: { $0.0 != nil }) else { return input }
    let waiting = Waiting<Payload>(limit: limit ?? defaultWaiting, overflow: overflow, context)
    return context.choosing(by: context.input(input), among: [inner], strategy, waiting: waiting) { payload, _ in
      context.recipe(of: inner, seeing: payload.value)
    }
  }
  .alsoKnown(
    as: "mergeMap", "switchMap", "concatMap", "exhaustMap", "flatten", "bind", "switchToLatest", "flatMapLatest")
}
