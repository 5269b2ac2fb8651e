import GraphModel
package import JSON

/// The operators and sources of configurations, in the order of the reference.
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
    .exec, .tail, .file, .watch, .journal, .dbus, .unit, .http, .mqtt, .nats, .adapter, .marble,
  ]

  package static func `operator`(named name: String) -> OperatorDeclaration? { operatorsByName[name] }
  package static func source(named name: String) -> SourceDeclaration? { sourcesByName[name] }

  /// Returns the sources among the keys of a signal, in their order.
  ///
  /// Some words are a trait as well: `dbus` is a source if its value is a mapping, `unit` if there is no other source.
  /// `input` beside `exec` is a parameter of `exec`.
  static func sources(among keys: some Sequence<(name: String, isMapping: Bool)>) -> [SourceDeclaration] {
    let found = keys.compactMap { key -> SourceDeclaration? in
      guard let source = source(named: key.name) else { return nil }
      return source.isTraitUnlessMapping && !key.isMapping ? nil : source
    }
    if found.count < 2 { return found }
    return found.filter { source in
      !source.isTraitBesideOthers && !found.contains { $0.hasBeside(source.name) }
    }
  }

  /// Returns the sources that a signal names, in the order of the file.
  static func sources(among node: ConfigNode) -> [SourceDeclaration] {
    sources(among: (node.entries ?? []).lazy.map { (name: $0.name, isMapping: $0.value.entries != nil) })
  }

  /// Returns the sources that a signal's declaration as JSON names.
  package static func sources(of declaration: JSONObject) -> [SourceDeclaration] {
    sources(
      among: declaration.members.lazy.map { member in
        if case .object = member.value.plain {
          (name: member.key, isMapping: true)
        } else {
          (name: member.key, isMapping: false)
        }
      })
  }

  private static let operatorsByName = Dictionary(uniqueKeysWithValues: operators.map { ($0.name, $0) })
  private static let sourcesByName = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0) })
}
