import Base
import GraphModel

/// The keys of a signal: its source, the parameters beside that, `pipe` and the traits.
enum SignalKeys {
  private static let sources = Catalogue.sources.map(\.name)
  /// The keys that every signal may have, for a fast check.
  private static let common = Set(sources + ["pipe"] + TraitReader.names)

  /// Returns a signal with each misspelt key under the name that it stands for; reports each unknown key.
  static func corrected(_ node: ConfigNode, _ reader: DeclarationReader) -> ConfigNode {
    guard let entries = node.entries, !entries.allSatisfy({ common.contains($0.name) }) else { return node }
    let found = Catalogue.sources(among: node)
    let known = keys(beside: found)
    if found.isEmpty, let (entry, source) = misspeltSource(entries, known) {
      // The source decides which keys the signal may have beside it.
      reader.problems.error("unknown key of a signal \"\(entry.name)\"", at: entry.key, for: entry.name, among: known)
      return corrected(node.with(entries.map { $0.name == entry.name ? $0.named(source) : $0 }), reader)
    }
    let plain = entries.filter { known.contains($0.name) || !isMisplaced($0, found, reader) }
    return node.with(
      reader.problems.entries(plain, named: known, formerly: [SignalTraits.formerUnit], as: "key of a signal"))
  }

  /// Returns the keys that a signal with these sources may have: further sources only if it has none.
  private static func keys(beside found: [SourceDeclaration]) -> [String] {
    let beside = found.flatMap(\.parameters).filter(\.isBeside).flatMap(\.names)
    return ["pipe"] + (found.isEmpty ? sources : found.map(\.name)) + TraitReader.names + beside
  }

  private static func misspeltSource(
    _ entries: [ConfigNode.Entry], _ known: [String]
  ) -> (entry: ConfigNode.Entry, source: String)? {
    for entry in entries where !known.contains(entry.name) && Catalogue.operator(named: entry.name) == nil {
      if let source = Suggestion.likely(for: entry.name, among: known), sources.contains(source) {
        return (entry, source)
      }
    }
    return nil
  }

  /// Reports a key that belongs elsewhere in the signal.
  private static func isMisplaced(
    _ entry: ConfigNode.Entry, _ found: [SourceDeclaration], _ reader: DeclarationReader
  ) -> Bool {
    if Catalogue.operator(named: entry.name) != nil, Catalogue.source(named: entry.name) == nil {
      reader.problems.error("\"\(entry.name)\" is an operator: write it as an item of \"pipe\"", at: entry.key)
      return true
    }
    guard let source = found.first(where: { $0.hasInside(entry.name) }) else { return false }
    reader.problems.error(
      "\"\(entry.name)\" belongs to \"\(source.name)\": write it as \"\(source.name): {\(entry.name): …}\"",
      at: entry.key)
    return true
  }
}

extension SourceDeclaration {
  /// Returns true if a parameter with that name is written beside the source's key.
  package func hasBeside(_ name: String) -> Bool { parameters.contains { $0.names.contains(name) && $0.isBeside } }

  /// Returns true if a parameter with that name is written inside the source's braces.
  fileprivate func hasInside(_ name: String) -> Bool {
    parameters.contains { $0.names.contains(name) && !$0.isBeside }
  }
}
