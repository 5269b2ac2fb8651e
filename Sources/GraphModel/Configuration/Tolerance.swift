package import JSON

/// The tolerance for expected numbers.
package struct Tolerance: Sendable {
  package static let none = Tolerance(of: 0)

  private let difference: Double

  package init(of difference: Double) { self.difference = difference }

  /// Compares a value with the expected one.
  package func admits(_ found: JSONValue, for expected: JSONValue) -> Bool {
    if difference == 0 { return found == expected }
    switch (found.plain, expected.plain) {
    case (.number(let found), .number(let expected)):
      return found == expected || abs(found - expected) <= difference
    case (.array(let found), .array(let expected)):
      return found.count == expected.count && zip(found, expected).allSatisfy(admits)
    case (.object(let found), .object(let expected)):
      return found.count == expected.count
        && expected.members.allSatisfy { member in found[member.key].map { admits($0, for: member.value) } ?? false }
    default: return found == expected
    }
  }
}
