import GraphCatalogue

/// The names of operators, sources and signal traits in other systems, for readers who know those.
///
/// The words are those of ReactiveCocoa, ReactiveSwift, RxJS, RxSwift, stream processors, brokers and shells.
package enum Synonyms {
  /// Returns the names in this project that the words may refer to, the most likely first.
  ///
  /// Ignores case, `-`, `_` and spaces.
  package static func names(for words: String) -> [String] {
    let key = folded(words)
    return entries.filter { $0.words.contains { folded($0) == key } }.map(\.name)
  }

  /// Returns a word without case, hyphens, underscores and spaces.
  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "-" && $0 != "_" && !$0.isWhitespace }
  }

  /// The foreign names by name in this project, in the order of the catalogue; traits of signals are last.
  package static var entries: [(name: String, words: [String])] {
    Catalogue.operators.map { ($0.name, $0.synonyms) } + Catalogue.sources.map { ($0.name, $0.synonyms) } + traits
  }

  private static let traits: [(name: String, words: [String])] = [
    (
      "hold",
      ["retain", "retained", "last value", "sticky", "latched", "current value", "keep", "cache", "shareReplay"]
    ),
    ("replay", ["history", "ReplaySubject", "shareReplay", "buffer size", "backlog"]),
    ("lazy", ["refCount", "on demand", "share"]),
    ("cold", ["defer", "producer", "per subscriber"]),
    ("backpressure", ["block", "flow control"]),
    ("on_error", ["error handling", "errors"]),
  ]
}
