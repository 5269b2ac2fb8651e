import Base
import JSON

/// Reads a mapping key by key; its unknown keys have been reported.
package final class MappingReader {
  /// The mapping, a misspelt key with the name that it stands for.
  package let node: ConfigNode
  package let context: ReadingContext
  private let entries: [ConfigNode.Entry]

  init(_ node: ConfigNode, entries: [ConfigNode.Entry], _ context: ReadingContext) {
    self.node = node.with(entries)
    self.entries = entries
    self.context = context
  }

  package var problems: Problems { context.problems }

  /// Returns the value of an optional key.
  package func optional(_ key: String) -> Reader? { entry(key).map { Reader($0.value, context) } }

  /// Returns the value of an optional key, also under its deprecated name, with a warning.
  package func optional(_ key: String, formerly formerKey: String) -> Reader? {
    let current = optional(key)
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
  ///
  /// - Parameter keys: The keys that it may have.
  package func section(_ key: String, of keys: [String]) -> MappingReader? {
    guard let section = optional(key), !section.isAbsent else { return nil }
    return section.mapping(of: keys)
  }

  /// Returns the key node and its value, for readers that need the place of the key.
  package func entry(_ key: String) -> ConfigNode.Entry? {
    entries.first { $0.name.hasSameBytes(as: key) }
  }
}

extension Reader {
  /// Returns a reader for the keys of a mapping; reports each unknown one with the nearest known one.
  ///
  /// - Parameters:
  ///   - keys: The keys that it may have.
  ///   - former: Their deprecated names.
  ///   - prefix: The beginning of keys that are not for this program.
  package func mapping(
    of keys: [String], formerly former: [String] = [], exceptFor prefix: String? = nil
  ) -> MappingReader? {
    guard let entries = entries() else { return nil }
    return MappingReader(
      node, entries: problems.entries(entries, named: keys, formerly: former, exceptFor: prefix), context)
  }

  /// Returns the entries of a mapping with arbitrary keys.
  package func entries() -> [ConfigNode.Entry]? {
    if let entries = node.entries { return entries }
    refuse(expected: "a mapping")
    return nil
  }
}
