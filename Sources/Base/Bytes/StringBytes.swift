internal import Glibc

// RFC 8259 has no normalisation: strings are equal, and ordered, by their bytes. The order of UTF-8's bytes is that of
// the code points.
extension String {
  /// Returns true if two strings have the same bytes; `==` also equates canonically equivalent ones.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && compareBytes(to: other) == 0
  }

  /// Returns less than, equal to or greater than zero if this string sorts before, with or after another.
  package func compareBytes(to other: String) -> Int {
    var (one, other) = (self, other)
    return one.withUTF8 { bytes in other.withUTF8 { Self.compare(bytes, $0) } }
  }

  private static func compare(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return one.count - other.count }
    let order = Int(memcmp(start, otherStart, Swift.min(one.count, other.count)))
    return order != 0 ? order : one.count - other.count
  }

  /// Hashes what `hasSameBytes` compares.
  package func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}
