import Base
import JSON

/// Checks the keys of one mapping: scalars, unique, no merge keys.
struct UniqueKeys {
  let problems: Problems
  /// The first keys, which are compared one by one, and all of them where there are more.
  private var few: [ConfigNode] = []
  private var all: [ExactText: ConfigNode] = [:]

  /// A dictionary costs more than this many comparisons.
  private static let fewest = 8

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
    if let earlier = earlier(text) {
      problems.error("duplicate key \"\(text)\"", at: key, related: .init("first given here", at: earlier))
      return false
    }
    if few.count < Self.fewest {
      few.append(key)
    } else {
      if all.isEmpty {
        for key in few { all[ExactText(key.scalar?.text ?? "")] = key }
      }
      all[ExactText(text)] = key
    }
    return true
  }

  private func earlier(_ text: String) -> ConfigNode? {
    all.isEmpty ? few.first { $0.scalar?.text.hasSameBytes(as: text) == true } : all[ExactText(text)]
  }
}
