/// The types of a method's arguments: "Type System" in the D-Bus Specification.
package struct BusSignature: Equatable, Sendable {
  /// The types as D-Bus writes them, such as `sa{sv}`.
  package let text: String
  /// The number of arguments.
  package let count: Int

  /// No arguments.
  static let empty = BusSignature(text: "", count: 0)

  private static let longest = 255
  /// The greatest nesting of arrays, and of structures.
  private static let deepest = 32

  private init(text: String, count: Int) { (self.text, self.count) = (text, count) }

  /// Parses a signature; `nil` if the text is invalid.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else { return nil }
    var (place, count) = (0, 0)
    while place < bytes.count {
      guard let end = Self.end(ofTypeAt: place, in: bytes, arrays: 0, structures: 0) else { return nil }
      (place, count) = (end, count + 1)
    }
    self.init(text: text, count: count)
  }

  /// True if a type is a file descriptor, which has no value in JSON.
  var hasDescriptors: Bool { text.utf8.contains(UInt8(ascii: "h")) }

  /// Returns the index after a single complete type, or `nil` if there is no such type.
  private static func end(ofTypeAt start: Int, in bytes: [UInt8], arrays: Int, structures: Int) -> Int? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "a"):
      guard arrays < deepest else { return nil }
      if start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") {
        return end(ofEntryAt: start + 1, in: bytes, arrays: arrays + 1, structures: structures)
      }
      return end(ofTypeAt: start + 1, in: bytes, arrays: arrays + 1, structures: structures)
    case UInt8(ascii: "("):
      guard structures < deepest else { return nil }
      var next = start + 1
      repeat {
        guard let end = end(ofTypeAt: next, in: bytes, arrays: arrays, structures: structures + 1) else { return nil }
        next = end
      } while next < bytes.count && bytes[next] != UInt8(ascii: ")")
      return next < bytes.count ? next + 1 : nil
    case UInt8(ascii: "v"): return start + 1
    case let byte: return isBasic(byte) ? start + 1 : nil
    }
  }

  /// Returns the index after a dictionary entry with a key of a basic type, or `nil` if there is no such entry.
  private static func end(ofEntryAt start: Int, in bytes: [UInt8], arrays: Int, structures: Int) -> Int? {
    guard structures < deepest, start + 1 < bytes.count, isBasic(bytes[start + 1]),
      let end = end(ofTypeAt: start + 2, in: bytes, arrays: arrays, structures: structures + 1),
      end < bytes.count, bytes[end] == UInt8(ascii: "}")
    else { return nil }
    return end + 1
  }

  private static func isBasic(_ byte: UInt8) -> Bool { "ybnqiuxtdhsog".utf8.contains(byte) }
}
