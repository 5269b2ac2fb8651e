internal import Glibc

/// The places of an object's members in its text, as found by `PlainValue`.
///
/// For objects of at most 16 members in less than 64 kB of text, the usual form of clients' values.
package struct Outline: ~Copyable {
  /// A member's key, without its quotes, and its value.
  struct Member: BitwiseCopyable {
    var keyStart: UInt16 = 0
    var keyEnd: UInt16 = 0
    var start: UInt16 = 0
    var end: UInt16 = 0

    var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
    var value: Range<Int> { Int(start)..<Int(end) }

    /// Returns it at another distance from the beginning, all four places at once.
    @inline(__always)
    func moved(by distance: UInt16) -> Member {
      let places = unsafeBitCast(self, to: SIMD4<UInt16>.self)
      return unsafeBitCast(places &+ SIMD4(repeating: distance), to: Member.self)
    }
  }

  /// Other properties of the text.
  struct Traits: OptionSet {
    let rawValue: UInt8

    /// Without escapes or exponents, so that `PlainScalar` can read its scalars.
    static let isPlain = Traits(rawValue: 1)
    /// Also an object whose members are all recorded and have different keys.
    static let isOutlined = Traits(rawValue: 2)
    /// Without an array or object among its values.
    static let isFlat = Traits(rawValue: 4)
    /// Flat and equal to the writer's output.
    static let isCompact = Traits(rawValue: 8)
  }

  static let mostMembers = 16
  static let mostBytes = Int(UInt16.max)

  /// The notes about a text: an unused entry, the members that fit, and one for the others.
  let noted: UnsafeMutablePointer<Member>
  private(set) var count = 0
  private(set) var traits: Traits = []
  /// The address that the recorded places are relative to.
  private var origin: UInt16 = 0

  package init() {
    noted = .allocate(capacity: Self.mostMembers + 2)
    noted.initialize(repeating: Member(), count: Self.mostMembers + 2)
  }

  deinit { noted.deallocate() }

  /// Begins the outline of a text that is being written, compact and without nesting.
  mutating func begin() {
    count = 0
    origin = 0
    traits = [.isPlain, .isOutlined, .isFlat, .isCompact]
  }

  /// Adds a member of a text that is being written.
  mutating func append(_ member: Member) {
    count += 1
    noted[count] = member
  }

  /// Stores the notes about a text.
  mutating func set(isPlain: Bool, count: Int, of text: UnsafeRawBufferPointer) {
    let isOutlined = 1...Self.mostMembers ~= count && text.count <= Self.mostBytes
    self.count = isPlain && isOutlined ? count : 0
    traits = isPlain ? isOutlined ? [.isPlain, .isOutlined] : .isPlain : []
    origin = UInt16(truncatingIfNeeded: UInt(bitPattern: text.baseAddress))
  }

  /// The members, if their places are relative to the beginning of the text.
  var members: UnsafeBufferPointer<Member> { UnsafeBufferPointer(start: noted + 1, count: count) }

  /// A member, with its places in the text.
  subscript(index: Int) -> Member { noted[1 + index].moved(by: 0 &- origin) }
}

// The members are uniquely owned.
extension Outline: @unchecked Sendable {}

extension UInt8 {
  /// True if it begins an array or an object.
  @inline(__always)
  var opensContainer: Bool { self | 0x20 == UInt8(ascii: "{") }  // "[" is 0x5B, "{" 0x7B

  /// True if it ends an array or an object.
  @inline(__always)
  var closesContainer: Bool { self | 0x20 == UInt8(ascii: "}") }  // "]" is 0x5D, "}" 0x7D
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: baseAddress.unsafelyUnwrapped + range.lowerBound, count: range.count)
  }

  /// Returns the position of the first differing byte, possibly past the end of one; eight bytes are readable past
  /// both.
  func firstDifference(from other: UnsafeRawBufferPointer) -> Int? {
    let shorter = Swift.min(count, other.count)
    let (start, otherStart) = (baseAddress.unsafelyUnwrapped, other.baseAddress.unsafelyUnwrapped)
    for place in stride(from: 0, to: shorter, by: 8) {
      let word = UInt64(littleEndian: (start + place).loadUnaligned(as: UInt64.self))
      let otherWord = UInt64(littleEndian: (otherStart + place).loadUnaligned(as: UInt64.self))
      guard word != otherWord else { continue }
      let difference = place + (word ^ otherWord).trailingZeroBitCount / 8
      if difference < shorter { return difference }
      break
    }
    return count == other.count ? nil : shorter
  }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else { return false }
    return memcmp(start, otherStart, count) == 0
  }
}
