import Glibc

/// Removes the NUL bytes at the beginnings of lines.
///
/// A program that keeps its position while its log is truncated leaves a hole before its next line, which reads as NUL
/// bytes. Those inside a line belong to it.
struct LeadingNULs {
  /// True if the last byte belongs to an unfinished line.
  private var isInLine: Bool
  /// The number of NUL bytes removed since the last other byte.
  private var removed: Int64 = 0

  init(isInLine: Bool = false) { self.isInLine = isInLine }

  /// Notes NUL bytes that are not read, since they belong to a hole between two lines.
  mutating func pass(_ count: Int64) { removed += count }

  /// Returns the bytes without those that are skipped, and the number of those in holes that end here.
  mutating func filter(_ bytes: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, skipped: Int64) {
    guard removed > 0 || Self.hasNUL(bytes) else {
      if let last = bytes.last { isInLine = last != UInt8(ascii: "\n") }
      return (bytes, 0)
    }
    var text: [UInt8] = []
    var skipped: Int64 = 0
    for byte in bytes {
      if byte == 0, !isInLine {
        removed += 1
        continue
      }
      skipped += removed
      removed = 0
      text.append(byte)
      isInLine = byte != UInt8(ascii: "\n")
    }
    return (text[...], skipped)
  }

  private static func hasNUL(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return memchr(base, 0, bytes.count) != nil
    }
  }
}
