/// The encoding of the bytes of a line.
package enum LineEncoding: String, CaseIterable, Sendable {
  /// UTF-8; a line that is not valid is rejected.
  case utf8
  /// UTF-8, with U+FFFD in the place of each invalid sequence.
  case lossy = "utf8-lossy"
  /// ISO 8859-1: each byte is the code point of its number.
  case latin1

  /// Returns a line as UTF-8; one that is declared as such stays as it is, valid or not.
  ///
  /// A line that begins with a byte order mark of UTF-16 stays as it is, so that the parser rejects it with that reason:
  /// the tail of such a file is not read.
  package func utf8(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if self == .utf8 || line.beginsAsUTF16 || line.allSatisfy({ $0 < 0x80 }) { return line }
    return self == .lossy ? Self.repaired(line) : Self.widened(line)
  }

  private static func repaired(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Array(String(decoding: bytes, as: UTF8.self).utf8)[...]
  }

  private static func widened(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(0xC0 | byte >> 6)
        text.append(0x80 | byte & 0x3F)
      }
    }
    return text[...]
  }
}

extension ArraySlice<UInt8> {
  /// True if it begins with a byte order mark of UTF-16, which is never UTF-8.
  package var beginsAsUTF16: Bool { starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) }
}
