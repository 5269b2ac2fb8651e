import JSON

/// Everything that a configuration can say, in the order of the reference.
package enum Catalogue {
  package static let operators: [OperatorDeclaration] = [
    // transform
    .map, .mapTo, .filterMap, .lazyMap, .mapError, .check, .cast, .scan, .scanMap, .reduce, .expand, .count, .min, .max,
    .sum, .average, .pairwise, .enumerate, .startWith, .endWith, .timestamp, .timeInterval, .materialize,
    .dematerialize, .not, .and, .or,
    // filter
    .filter, .ignoreValues, .skipRepeats, .unique, .take, .takeFor, .takeLast, .takeWhile, .takeUntil,
    .takeUntilReplacement, .skip, .skipFor, .skipLast, .skipWhile, .skipUntil, .first, .last, .single, .elementAt,
    .any, .all, .isEmpty, .sequenceEqual, .defaultIfEmpty, .switchIfEmpty, .failIfEmpty,
    // time
    .debounce, .throttle, .audit, .sample, .delay, .delayWhen, .delayStart, .timeout, .buffer, .collect, .window,
    // combine
    .merge, .concat, .then, .race, .withLatest,
    // signals that are started
    .flatMap, .groupBy, .catch, .onErrorResumeNext, .retry, .repeat,
    // effects
    .sendTo, .call, .log,
  ]

  package static let sources: [SourceDeclaration] = [
    .input, .property, .from,
    .value, .values, .empty, .never, .fail, .range, .interval, .timer, .at,
    .merge, .concat, .zip, .combine, .combineLast, .race, .tuple,
    .switch, .if,
    .exec, .tail, .file, .marble,
  ]

  package static func `operator`(named name: String) -> OperatorDeclaration? { operatorsByName[name] }
  package static func source(named name: String) -> SourceDeclaration? { sourcesByName[name] }

  /// The sources among the keys of a signal; `input` beside `exec` is a parameter of that.
  static func sources(among keys: [String]) -> [SourceDeclaration] {
    let found = keys.compactMap(source(named:))
    return found.filter { source in !found.contains { $0.hasBeside(source.name) } }
  }

  /// The sources among the members of a signal's declaration, where the word of a source may be that of a trait.
  static func sources(of declaration: JSONObject) -> [SourceDeclaration] {
    let members = declaration.members.filter { member in
      if case .object = member.value.plain { return true }
      return !TraitReader.names.contains(member.key)
    }
    return sources(among: members.map(\.key))
  }

  private static let operatorsByName = Dictionary(uniqueKeysWithValues: operators.map { ($0.name, $0) })
  private static let sourcesByName = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0) })
}
