/// A key that is compared by its bytes alone.
package struct KeyBytes: Hashable {
  private let key: String

  package init(_ key: String) { self.key = key }

  package static func == (one: Self, other: Self) -> Bool { one.key.hasSameBytes(as: other.key) }

  package func hash(into hasher: inout Hasher) { key.hashBytes(into: &hasher) }
}
