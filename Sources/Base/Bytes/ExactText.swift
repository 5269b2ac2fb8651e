/// A text that equals, and sorts with, only one of the same bytes.
///
/// Strings also equal canonically equivalent ones, which are different names to the kernel and to brokers.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
  }

  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}
