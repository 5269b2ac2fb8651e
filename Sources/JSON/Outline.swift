internal import Glibc

/// Where the members of an object stand in its text, as `PlainValue` came by them.
///
/// It is there for objects of at most 16 members in less than 64 kB of text; they are what most clients send.
package struct Outline {
  /// A member's key, without its quotes, and its value.
  struct Member: BitwiseCopyable {
    var keyStart: UInt16 = 0
    var keyEnd: UInt16 = 0
    var start: UInt16 = 0
    var end: UInt16 = 0
  }

  /// What else was seen of the text.
  struct Traits: OptionSet {
    let rawValue: UInt8

    /// It is of the form that `PlainValue` recognises.
    static let isPlain = Traits(rawValue: 8)
    /// It is an object, too, whose members are all noted.
    static let isOutlined = Traits(rawValue: 1)
    /// An array or object stands among the values.
    static let isNested = Traits(rawValue: 2)
    /// There is white space between the tokens.
    static let isSpaced = Traits(rawValue: 4)
  }

  static let mostMembers = 16
  static let mostBytes = Int(UInt16.max)

  var members: [16 of Member] = .init(repeating: Member())
  var count = 0
  var traits: Traits = []

  package init() {}

  /// Whether no two keys are the same; `text` is what this was made of.
  func hasDistinctKeys(in text: UnsafeRawBufferPointer) -> Bool {
    var seen: UInt64 = 0
    for index in 0..<count {
      let key = text.bytes(members[index].key)
      // Keys whose bits differ are different; few have the same by chance.
      let bit = Self.bit(of: key)
      let isPerhapsKnown = seen & bit != 0
      if isPerhapsKnown, (0..<index).contains(where: { text.bytes(members[$0].key).hasSameBytes(as: key) }) {
        return false
      }
      seen |= bit
    }
    return true
  }

  private static func bit(of key: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0
    for byte in key { hash = hash &* 31 &+ UInt64(byte) }
    return 1 << (hash & 63)
  }
}

extension Outline.Member {
  var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
  var value: Range<Int> { Int(start)..<Int(end) }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else { return false }
    return memcmp(start, otherStart, count) == 0
  }
}
