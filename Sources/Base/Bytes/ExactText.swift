/// A text that equals, and sorts with, only one of the same bytes.
///
/// Strings also equal canonically equivalent ones, which are different names to JSON, the kernel and brokers.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.hasSameBytes(as: other.text) }

  package static func < (one: Self, other: Self) -> Bool { one.text.compareBytes(to: other.text) < 0 }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
