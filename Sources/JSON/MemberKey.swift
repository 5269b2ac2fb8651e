/// A key prepared for look-ups in many objects.
package struct MemberKey: Sendable {
  package let name: String
  /// The first eight bytes of the name, padded with zeros.
  let head: UInt64
  /// The bits of a word that such a head has.
  let headMask: UInt64
  let byteCount: Int
  /// True if Swift's equality of strings equals that of bytes for strings of this length.
  ///
  /// A non-ASCII string that is canonically equivalent to an ASCII string is longer.
  private let isASCII: Bool

  package init(_ name: String) {
    self.name = name
    head = name.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    byteCount = name.utf8.count
    headMask = Self.headMask(count: byteCount)
    isASCII = name.utf8.allSatisfy { $0 < 0x80 }
  }

  @inline(__always)
  func matches(_ key: String) -> Bool {
    key.utf8.count == name.utf8.count && key == name && (isASCII || key.utf8.elementsEqual(name.utf8))
  }

  /// Compares a part of a text; eight bytes of the text are read, however short the part is.
  @inline(__always)
  func matches(_ start: UnsafeRawPointer, count: Int) -> Bool {
    guard count == byteCount, Self.word(start) & headMask == head else { return false }
    return count <= 8 || UnsafeRawBufferPointer(start: start, count: count).elementsEqual(name.utf8)
  }

  @inline(__always)
  static func head(of key: UnsafeRawBufferPointer) -> UInt64 {
    head(key.baseAddress.unsafelyUnwrapped, count: key.count)
  }

  /// The first eight bytes of a key, padded with zeros.
  @inline(__always)
  static func head(_ start: UnsafeRawPointer, count: Int) -> UInt64 { word(start) & headMask(count: count) }

  @inline(__always)
  static func word(_ start: UnsafeRawPointer) -> UInt64 { UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)) }

  @inline(__always)
  private static func headMask(count: Int) -> UInt64 {
    // A shift by all 64 bits yields 0.
    count >= 8 ? ~0 : ~(~0 &<< UInt64(truncatingIfNeeded: 8 &* count))
  }
}
