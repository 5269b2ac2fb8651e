import Base

/// Names of graphs, signals and actions.
package enum Name {
  /// ASCII letters, digits, `_` and `-`, at least one.
  package static func isValid(_ name: some StringProtocol) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      }
  }
}

extension Reader {
  /// Reads a name of one part.
  package func name() -> String? { dottedName(parts: 1...1)?.first }

  /// Reads the parts of a reference such as `smooth`, `climate.smooth` or `climate.fan.values`.
  package func dottedName(parts: ClosedRange<Int> = 1...3) -> [String]? {
    let expected = parts.upperBound == 1 ? "a name" : "the name of a signal"
    guard let scalar = resolved(expected: expected) else { return nil }
    let names = scalar.text.split(separator: ".", omittingEmptySubsequences: false)
    if names.allSatisfy(Name.isValid), parts.contains(names.count) { return names.map(String.init) }
    refuse(expected: expected + " (letters, digits, \"_\" and \"-\")")
    return nil
  }
}

extension ReadingContext {
  /// Returns the name in a key; reports an invalid one.
  package func name(key: ConfigNode) -> String? {
    guard let text = key.scalar?.text else { return nil }
    if Name.isValid(text) { return text }
    problems.error("invalid name \"\(text)\": use letters, digits, \"_\" and \"-\"", at: key)
    return nil
  }
}
