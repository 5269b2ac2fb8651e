/// The hexadecimal encoding of bytes.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(of bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Decodes digits of either case; `nil` for an invalid text.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let halves = text.utf8.map(half)
    guard halves.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: halves.count, by: 2) {
      guard let high = halves[place], let low = halves[place + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func half(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
