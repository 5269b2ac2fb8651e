/// A key of a terminal.
enum Key: Equatable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace, tab
  case character(Character)

  /// Decodes the bytes that a terminal sends for keys; unknown bytes are skipped.
  static func pressed(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == 0x1B {
        keys += takeSequence(&rest)
      } else if byte < 0x20 || byte == 0x7F {
        rest.removeFirst()
        keys += control(byte)
      } else {
        let text = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
        rest = rest.dropFirst(text.count)
        keys += String(decoding: text, as: UTF8.self).map(Key.character)
      }
    }
    return keys
  }

  private static func control(_ byte: UInt8) -> [Key] {
    switch byte {
    case 0x09: [.tab]
    case 0x0A, 0x0D: [.enter]
    case 0x08, 0x7F: [.backspace]
    default: []
    }
  }

  /// Decodes a sequence that begins with ESC: the key itself, or `ESC [` or `ESC O` with parameters and a final byte.
  private static func takeSequence(_ rest: inout ArraySlice<UInt8>) -> [Key] {
    rest.removeFirst()
    guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return [.escape] }
    rest.removeFirst()
    let parameters = rest.prefix { 0x20..<0x40 ~= $0 }
    rest = rest.dropFirst(parameters.count)
    guard let last = rest.popFirst() else { return [] }
    return key(last, String(decoding: parameters, as: UTF8.self)).map { [$0] } ?? []
  }

  private static func key(_ last: UInt8, _ parameters: String) -> Key? {
    switch (Character(Unicode.Scalar(last)), parameters) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }
}
