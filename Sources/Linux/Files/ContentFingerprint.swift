/// A fingerprint of the part of a file that was read: hashes of its first and its last kilobyte.
///
/// Together with the length of that part, it distinguishes the file from another one with a reused inode number, and
/// from a rewritten one. It does not protect against attacks.
package struct ContentFingerprint: Equatable, Sendable {
  /// In bytes.
  static let span = 1024

  package let head: UInt64
  package let last: UInt64

  package init(head: UInt64, last: UInt64) {
    self.head = head
    self.last = last
  }

  /// Hashes eight bytes at a time.
  static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 29
      }
      let whole = bytes.count & ~7
      for place in stride(from: 0, to: whole, by: 8) {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      }
      var rest: UInt64 = 0
      for byte in bytes[whole...] { rest = rest << 8 | UInt64(byte) }
      mix(rest)
      return hash
    }
  }
}

/// The ends of the part of a file that was read, as needed for its fingerprint and for comparisons.
struct ReadEnds {
  /// The last bytes read, at most a kilobyte.
  private(set) var last: [UInt8] = []
  /// The hash of the first kilobyte, once complete; until then, `last` contains everything read.
  private var head: UInt64?

  init() {}

  init(head: ArraySlice<UInt8>, last: ArraySlice<UInt8>) {
    self.last = Array(last)
    if head.count == ContentFingerprint.span { self.head = ContentFingerprint.hash(head) }
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    let span = ContentFingerprint.span
    if head == nil, last.count + bytes.count >= span {
      head = ContentFingerprint.hash((last + bytes.prefix(span - last.count))[...])
    }
    if bytes.count >= span {
      last = Array(bytes.suffix(span))
    } else {
      last.append(contentsOf: bytes)
      if last.count > span { last.removeFirst(last.count - span) }
    }
  }

  var fingerprint: ContentFingerprint {
    let hash = ContentFingerprint.hash(last[...])
    return ContentFingerprint(head: head ?? hash, last: hash)
  }

  /// The number of bytes after the last line feed, as far as they are kept; a hole before them does not count.
  var unfinished: Int { last[((last.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)...].drop { $0 == 0 }.count }
}
