/// A text that is compared by its bytes alone.
package struct KeyBytes: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.hasSameBytes(as: other.text) }

  package static func < (one: Self, other: Self) -> Bool { one.text.compareBytes(to: other.text) < 0 }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
