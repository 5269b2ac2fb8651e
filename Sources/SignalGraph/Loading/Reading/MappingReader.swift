import JSON
import Spelling

/// Reads a mapping key by key; `finish` reports the keys that were not asked for.
package final class MappingReader {
  package let node: ConfigNode
  package let context: ReadingContext
  private let entries: [ConfigNode.Entry]
  private var known: [String] = []

  init(_ node: ConfigNode, entries: [ConfigNode.Entry], _ context: ReadingContext) {
    self.node = node
    self.entries = entries
    self.context = context
  }

  package var problems: Problems { context.problems }

  /// The value of a key that may be left out.
  package func optional(_ key: String) -> Reader? {
    known.append(key)
    return entry(key).map { Reader($0.value, context) }
  }

  /// The value of a key; where it is missing, that is reported.
  package func required(_ key: String) -> Reader? {
    let value = optional(key)
    if value == nil { problems.error("\"\(key)\" is missing here", at: node) }
    return value
  }

  /// A mapping that may be left out, or be empty because all in it is commented out.
  package func section(_ key: String) -> MappingReader? {
    guard let section = optional(key), !section.isAbsent else { return nil }
    return section.mapping()
  }

  /// The key itself and its value, for readers that need the place of the key.
  package func entry(_ key: String) -> ConfigNode.Entry? {
    entries.first { $0.name.hasSameBytes(as: key) }
  }

  /// Reports each key that was not asked for, with the nearest of those that were.
  package func finish() {
    for entry in entries where !known.contains(where: { $0.hasSameBytes(as: entry.name) }) {
      let suggestion = Suggestion.likely(for: entry.name, among: known)
      let list = suggestion == nil && !known.isEmpty ? "; known here: \(known.joined(separator: ", "))" : ""
      problems.error("unknown key \"\(entry.name)\"\(list)", at: entry.key, suggestion: suggestion)
    }
  }
}

extension Reader {
  /// A mapping, to be read key by key.
  package func mapping() -> MappingReader? {
    guard let entries = entries() else { return nil }
    return MappingReader(node, entries: entries, context)
  }

  /// A mapping whose keys are free.
  package func entries() -> [ConfigNode.Entry]? {
    if let entries = node.entries { return entries }
    refuse(expected: "a mapping")
    return nil
  }
}
