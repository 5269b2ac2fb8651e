internal import Glibc

/// An encoding of text by its registered name, such as ISO-8859-1.
///
/// Source: iconv(3); the names are those of `iconv --list`.
package struct CharacterEncoding: ~Copyable {
  private let converter: iconv_t

  /// - Returns: `nil` for a name that the system does not know.
  package init?(_ name: String) {
    // The library takes options after a slash.
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), let converter = iconv_open("UTF-8", name),
      Int(bitPattern: converter) != -1
    else { return nil }
    self.converter = converter
  }

  deinit { iconv_close(converter) }

  /// Returns the text of bytes in this encoding; `nil` if they are not valid in it.
  package func text(of bytes: [UInt8]) -> String? {
    var source = bytes
    // No encoding has a character in a byte that is longer than three in UTF-8, and a mark may come before the first.
    var target = [UInt8](repeating: 0, count: 3 * bytes.count + 4)
    let count: Int? = source.withUnsafeMutableBytes { source in
      target.withUnsafeMutableBytes { target in
        var (from, left) = (source.baseAddress?.assumingMemoryBound(to: CChar.self), source.count)
        var (to, room) = (target.baseAddress?.assumingMemoryBound(to: CChar.self), target.count)
        if iconv(converter, &from, &left, &to, &room) == -1 { return nil }
        return iconv(converter, nil, nil, &to, &room) == -1 ? nil : target.count - room
      }
    }
    return count.flatMap { String(validating: target.prefix($0), as: UTF8.self) }
  }
}
