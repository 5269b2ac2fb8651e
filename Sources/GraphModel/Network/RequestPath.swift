import Base

/// The path of a request, which a value can name but not leave.
package enum RequestPath {
  /// The greatest length of a path in bytes.
  static let longest = 8_192

  /// Returns the problem in a path.
  package static func problem(in path: String) -> String? {
    guard path.hasPrefix("/") else { return "a path begins with \"/\"" }
    if path.utf8.count > longest { return "a path has at most \(longest) bytes" }
    if path.hasPrefix("//") { return "a path begins with one \"/\"" }
    if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a path has no control characters" }
    return isLeaving(path) ? "a path cannot contain \".\" or \"..\" as a segment" : nil
  }

  /// True if a segment is `.` or `..`, also where it is percent-encoded, once or several times.
  private static func isLeaving(_ path: String) -> Bool {
    var bytes = Array(path.utf8)
    while true {
      let segments = bytes.split(omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
      }
      if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) { return true }
      let decoded = Self.decoded(bytes)
      if decoded == bytes { return false }
      bytes = decoded
    }
  }

  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count, let high = bytes[place + 1].hexadecimal,
        let low = bytes[place + 2].hexadecimal
      {
        result.append(high << 4 | low)
        place += 3
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }

  /// Returns a path with every character encoded that cannot stand in one; what is encoded stays so.
  package static func encoded(_ path: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(path.utf8)
    for (place, byte) in bytes.enumerated() {
      let isEncoded =
        byte == UInt8(ascii: "%") && place + 2 < bytes.count && bytes[place + 1].hexadecimal != nil
        && bytes[place + 2].hexadecimal != nil
      if isEncoded || byte.mayStandInPath { result.append(byte) } else { result += byte.percentEncoded }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  fileprivate var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// True for a character that represents itself everywhere in an address.
  package var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }

  fileprivate var mayStandInPath: Bool { isUnreserved || "/:@!$&'()*+,;=".utf8.contains(self) }

  package var percentEncoded: [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
  }
}
