import JSON

/// Checks the keys of one mapping: scalars, unique, no merge keys.
struct UniqueKeys {
  let problems: Problems
  private var first: [KeyBytes: ConfigNode] = [:]

  init(problems: Problems) { self.problems = problems }

  /// Accepts a valid key; reports an invalid one and returns false.
  mutating func accept(_ key: ConfigNode) -> Bool {
    guard let scalar = key.scalar else {
      problems.error("a key must be a plain word or quoted text", at: key)
      return false
    }
    if scalar.isAbsent {
      problems.error("missing key before \":\"", at: key)
      return false
    }
    if scalar.style == .plain, scalar.text == "<<" {
      problems.error("merge keys (\"<<\") belong to YAML 1.1; write the keys out", at: key)
      return false
    }
    return isFirst(key, scalar.text)
  }

  private mutating func isFirst(_ key: ConfigNode, _ text: String) -> Bool {
    let bytes = KeyBytes(text)
    guard let earlier = first[bytes] else {
      first[bytes] = key
      return true
    }
    problems.error("duplicate key \"\(text)\"", at: key, related: .init("first given here", at: earlier))
    return false
  }
}
