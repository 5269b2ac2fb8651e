/// Checks the keys of one mapping: scalars, each given once, no merge keys.
struct UniqueKeys {
  let problems: Problems
  private var first: [[UInt8]: ConfigNode] = [:]

  init(problems: Problems) { self.problems = problems }

  /// Whether a key may stay; if not, it has been reported.
  mutating func accept(_ key: ConfigNode) -> Bool {
    guard let scalar = key.scalar else {
      problems.error("a key must be a plain word or quoted text", at: key)
      return false
    }
    if scalar.isAbsent {
      problems.error("a key is missing before this \":\"", at: key)
      return false
    }
    if scalar.style == .plain, scalar.text == "<<" {
      problems.error("merge keys (\"<<\") belong to YAML 1.1; write the keys out", at: key)
      return false
    }
    return isFirst(key, scalar.text)
  }

  private mutating func isFirst(_ key: ConfigNode, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let earlier = first[bytes] else {
      first[bytes] = key
      return true
    }
    problems.error("\"\(text)\" is given twice", at: key, related: .init("first given here", at: earlier))
    return false
  }
}
