/// The recogniser of the most common values, which records the places of an object's members.
///
/// These are strings of ASCII without escapes, numbers of at most 18 digits before the point and without an exponent,
/// the three words, and arrays and objects of such. A recognised text is valid; any other may be valid as well, and is
/// left to the parser. An object of 60 bytes takes 820 instructions, compared with the parser's 1,300; all of it is
/// inlined into one function, so that the state stays in registers, which saves a fifth.
struct PlainValue {
  private var place: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private let maximumDepth: Int
  /// The outline's members, from the entry before the first on, and their number.
  private let members: UnsafeMutablePointer<Outline.Member>
  private var memberCount = 0
  /// The number of open containers, and a bit for each: 1 for an object, the innermost lowest.
  private var depth = 0
  private var objects: UInt64 = 0

  private init(
    _ start: UnsafeRawPointer, count: Int, maximumDepth: Int, members: UnsafeMutablePointer<Outline.Member>
  ) {
    place = start
    end = start + count
    self.maximumDepth = min(maximumDepth, UInt64.bitWidth)
    self.members = members
  }

  /// Returns true if a text, without space around it, is such a value, nested at most `maximumDepth` deep.
  ///
  /// - Parameter outline: receives the places of the members of an object.
  static func fills(_ text: Span<UInt8>, maximumDepth: Int, outline: inout Outline) -> Bool {
    text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var scan = PlainValue(start, count: bytes.count, maximumDepth: maximumDepth, members: outline.noted)
      let isRecognised = scan.passValue()
      outline.set(isPlain: isRecognised, count: scan.memberCount, of: bytes)
      return isRecognised
    }
  }

  private mutating func passValue() -> Bool {
    while true {
      guard passBeginning() else { return false }
      while true {
        if depth <= 1 {
          if depth == 0 { return place == end }
          noteEnd()
        }
        passSpace()
        if pass(UInt8(ascii: ",")) { break }
        guard pass(isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        objects >>= 1
        depth -= 1
      }
      passSpace()
      if isInObject && !passKey() { return false }
    }
  }

  private var isInObject: Bool { objects & 1 == 1 }

  /// Passes a scalar, or enters a container: up to its first scalar, or its end if it is empty.
  @inline(__always)
  private mutating func passBeginning() -> Bool {
    while true {
      switch byte {
      case UInt8(ascii: "\""): return passString()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return passNumber()
      case UInt8(ascii: "t"): return pass("true")
      case UInt8(ascii: "f"): return pass("false")
      case UInt8(ascii: "n"): return pass("null")
      case UInt8(ascii: "{"):
        guard enter(object: 1) else { return false }
        if byte == UInt8(ascii: "}") { return true }
        guard passKey() else { return false }
      case UInt8(ascii: "["):
        guard enter(object: 0) else { return false }
        if byte == UInt8(ascii: "]") { return true }
      default: return false
      }
    }
  }

  @inline(__always)
  private mutating func enter(object: UInt64) -> Bool {
    depth += 1
    objects = objects << 1 | object
    place += 1
    passSpace()
    return depth <= maximumDepth
  }

  @inline(__always)
  private mutating func passKey() -> Bool {
    let keyStart = place + 1
    guard byte == UInt8(ascii: "\""), passString() else { return false }
    let keyEnd = place - 1
    passSpace()
    guard pass(UInt8(ascii: ":")) else { return false }
    passSpace()
    if depth == 1 { noteBeginning(keyStart, keyEnd) }
    return true
  }

  // MARK: Members of the outermost object

  // The low bits of the addresses are recorded, and become offsets if the outline is used: that leaves more registers
  // to the scan.

  /// Records the start of a member's value; excess members share one entry.
  @inline(__always)
  private mutating func noteBeginning(_ keyStart: UnsafeRawPointer, _ keyEnd: UnsafeRawPointer) {
    if memberCount <= Outline.mostMembers { memberCount += 1 }
    members[memberCount].keyStart = UInt16(truncatingIfNeeded: UInt(bitPattern: keyStart))
    members[memberCount].keyEnd = UInt16(truncatingIfNeeded: UInt(bitPattern: keyEnd))
    members[memberCount].start = UInt16(truncatingIfNeeded: UInt(bitPattern: place))
  }

  /// Records the end of the last member's value; places of array elements are not stored.
  @inline(__always)
  private func noteEnd() { members[memberCount].end = UInt16(truncatingIfNeeded: UInt(bitPattern: place)) }

  // MARK: Tokens

  @inline(__always)
  private mutating func passString() -> Bool {
    place += 1
    passBytes(upTo: Self.stringStops) { byte in
      0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    return pass(UInt8(ascii: "\""))
  }

  /// Passes a number; before an exponent it stops, where only a comma or a bracket may follow.
  @inline(__always)
  private mutating func passNumber() -> Bool {
    _ = pass(UInt8(ascii: "-"))
    if !pass(UInt8(ascii: "0")) {
      guard 1...18 ~= passDigits() else { return false }
    }
    return !pass(UInt8(ascii: ".")) || passDigits() > 0
  }

  @inline(__always)
  private mutating func passDigits() -> Int {
    let start = place
    passBytes(upTo: Self.digitStops) { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return place - start
  }

  @inline(__always)
  private mutating func passSpace() {
    // Usually there is none, as one comparison shows.
    while byte <= 0x20 && (byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D) { place += 1 }
  }

  // MARK: Bytes

  /// The next byte; 0, which does not occur in a value, at the end.
  @inline(__always)
  private var byte: UInt8 { place < end ? place.load(as: UInt8.self) : 0 }

  @inline(__always)
  private mutating func pass(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    place += 1
    return true
  }

  private mutating func pass(_ word: StaticString) -> Bool {
    for offset in 0..<word.utf8CodeUnitCount {
      guard pass(word.utf8Start[offset]) else { return false }
    }
    return true
  }

  /// Passes bytes, eight at a time while there are as many.
  ///
  /// - Parameter stops: marks the first stop among eight bytes in its highest bit.
  @inline(__always)
  private mutating func passBytes(upTo stops: (UInt64) -> UInt64, _ isPassed: (UInt8) -> Bool) {
    while place + 8 <= end {
      let marks = stops(UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)))
      place += marks.trailingZeroBitCount / 8
      if marks != 0 { return }
    }
    while place < end, isPassed(place.load(as: UInt8.self)) { place += 1 }
  }

  // The first mark is always right: the carry of a subtraction or an addition only affects later bytes.

  /// Marks quotes, backslashes, control characters and non-ASCII bytes.
  @inline(__always)
  private static func stringStops(_ word: UInt64) -> UInt64 {
    let quotes = (word ^ 0x2222_2222_2222_2222) &- ones
    let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones
    let controls = word &- 0x2020_2020_2020_2020
    return (quotes | backslashes | controls | word) & highBits
  }

  /// Returns true if a string needs an escape when it is written.
  static func needsEscape(_ string: UnsafeRawBufferPointer) -> Bool {
    let whole = string.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      let word = string.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // A byte that is not ASCII stops as well.
      if stringStops(word) != 0, string[place..<(place + 8)].contains(where: JSONWriter.needsEscape) { return true }
    }
    return string[whole...].contains(where: JSONWriter.needsEscape)
  }

  /// Marks all but digits.
  @inline(__always)
  static func digitStops(_ word: UInt64) -> UInt64 {
    let digits = word ^ 0x3030_3030_3030_3030
    return (digits &+ 0x7676_7676_7676_7676 | digits) & highBits
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
}
