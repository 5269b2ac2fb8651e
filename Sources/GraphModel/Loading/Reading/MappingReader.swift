import Base
import JSON

/// Reads a mapping key by key; `finish` reports the unknown keys.
package final class MappingReader {
  package let node: ConfigNode
  package let context: ReadingContext
  private let entries: [ConfigNode.Entry]
  private var known: [String] = []
  /// The deprecated names of known keys.
  private var formerKeys: [String] = []

  init(_ node: ConfigNode, entries: [ConfigNode.Entry], _ context: ReadingContext) {
    self.node = node
    self.entries = entries
    self.context = context
  }

  package var problems: Problems { context.problems }

  /// Returns the value of an optional key.
  package func optional(_ key: String) -> Reader? {
    known.append(key)
    return entry(key).map { Reader($0.value, context) }
  }

  /// Returns the value of an optional key, also under its deprecated name, with a warning.
  package func optional(_ key: String, formerly formerKey: String) -> Reader? {
    let current = optional(key)
    formerKeys.append(formerKey)
    guard let former = entry(formerKey) else { return current }
    problems.deprecated(former.key, nowCalled: key)
    guard let current else { return Reader(former.value, context) }
    problems.error(
      "duplicate \"\(key)\"", at: former.key, related: .init("also given here", at: current.place))
    return current
  }

  /// Returns the value of a required key; reports a missing one.
  package func required(_ key: String) -> Reader? {
    let value = optional(key)
    if value == nil { problems.error("missing \"\(key)\"", at: node) }
    return value
  }

  /// Reads an optional mapping, which may be empty because all its content is commented out.
  package func section(_ key: String) -> MappingReader? {
    guard let section = optional(key), !section.isAbsent else { return nil }
    return section.mapping()
  }

  /// Returns the key node and its value, for readers that need the place of the key.
  package func entry(_ key: String) -> ConfigNode.Entry? {
    entries.first { $0.name.hasSameBytes(as: key) }
  }

  /// Reports each unknown key with the nearest known one.
  ///
  /// - Parameter prefix: The beginning of keys that are not for this program.
  package func finish(exceptFor prefix: String? = nil) {
    for entry in entries where !(known + formerKeys).contains(where: { $0.hasSameBytes(as: entry.name) }) {
      if let prefix, entry.name.hasPrefix(prefix) { continue }
      let suggestion = Suggestion.likely(for: entry.name, among: known)
      let list = suggestion == nil && !known.isEmpty ? "; known: \(known.joined(separator: ", "))" : ""
      problems.error("unknown key \"\(entry.name)\"\(list)", at: entry.key, for: entry.name, among: known)
    }
  }
}

extension Reader {
  /// Returns a reader for the keys of a mapping.
  package func mapping() -> MappingReader? {
    guard let entries = entries() else { return nil }
    return MappingReader(node, entries: entries, context)
  }

  /// Returns the entries of a mapping with arbitrary keys.
  package func entries() -> [ConfigNode.Entry]? {
    if let entries = node.entries { return entries }
    refuse(expected: "a mapping")
    return nil
  }
}
