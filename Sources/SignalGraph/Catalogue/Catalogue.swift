/// Everything that a configuration can say, in the order of the reference.
package enum Catalogue {
  package static let operators: [OperatorDeclaration] = [
    .map, .mapTo, .filterMap, .scan, .pairwise, .startWith,
    .filter, .skipRepeats, .take, .skip,
    .debounce, .throttle, .sample, .delay, .window,
    .withLatest,
  ]

  package static let sources: [SourceDeclaration] = [
    .input, .property, .from,
    .value, .values, .empty, .never, .fail, .range, .interval, .timer,
    .merge, .combine,
    .file,
  ]

  /// Words of the reference that mean nothing here yet.
  static let plannedOperators: Set = [
    "lazy_map", "map_error", "check", "reduce", "scan_map", "end_with", "cast", "unique", "take_last", "skip_last",
    "element_at", "take_for", "skip_for", "delay_start", "audit", "take_while", "skip_while", "take_until",
    "skip_until",
    "first", "any", "all", "single", "last", "count", "min", "max", "sum", "average", "collect", "is_empty", "not",
    "and", "or", "enumerate", "materialize", "dematerialize", "timestamp", "time_interval", "ignore_values",
    "fail_if_empty", "default_if_empty", "delay_when", "timeout", "buffer", "then", "concat", "merge", "race",
    "switch_if_empty", "catch", "on_error_resume_next", "take_until_replacement", "sequence_equal", "retry", "repeat",
    "expand", "flat_map", "group_by", "send_to", "log",
  ]
  static let plannedSources: Set = [
    "concat", "zip", "combine_last", "race", "tuple", "switch", "if", "exec", "tail", "marble",
  ]

  package static func `operator`(named name: String) -> OperatorDeclaration? { operatorsByName[name] }
  package static func source(named name: String) -> SourceDeclaration? { sourcesByName[name] }

  private static let operatorsByName = Dictionary(uniqueKeysWithValues: operators.map { ($0.name, $0) })
  private static let sourcesByName = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0) })
}
