internal import Synchronization

/// One block of memory for a text: its parsed value, the members of its outline, its bytes.
///
/// Each parsed value has one, so that a second block for the bytes alone would be noticeable.
final class TextStorage: ManagedBuffer<TextStorage.Header, UInt64> {
  struct Header {
    /// The number of words that there is space for.
    let capacity: Int
    var memberCount: Int
    var byteCount: Int
    var traits: Outline.Traits
  }

  /// The parsed value; if two threads parse at once, that of the first to finish.
  final class Parsed: Sendable {
    let value: JSONValue
    init(_ value: JSONValue) { self.value = value }
  }

  /// Copies a text, and reserves space for the members of an outline.
  static func make(_ text: Span<UInt8>, members count: Int = 0, traits: Outline.Traits = []) -> TextStorage {
    let words = words(for: text, members: count)
    let header = Header(capacity: words, memberCount: count, byteCount: text.count, traits: traits)
    let storage = unsafeDowncast(create(minimumCapacity: words) { _ in header }, to: TextStorage.self)
    storage.words.initializeMemory(as: ParsedReference.self, to: ParsedReference())
    text.withUnsafeBytes { storage.text.copyMemory(from: $0) }
    return storage
  }

  /// Copies a text in place of the present one, which nothing else may hold.
  func replaceText(_ text: Span<UInt8>, members count: Int, traits: Outline.Traits) {
    (header.memberCount, header.byteCount, header.traits) = (count, text.count, traits)
    // Nothing else reads it: the word tells what an atomic access would.
    if words.load(as: UInt.self) != 0 { parsed.pointee = ParsedReference() }
    text.withUnsafeBytes { self.text.copyMemory(from: $0) }
  }

  static func words(for text: Span<UInt8>, members count: Int) -> Int {
    // The value takes a word, and so does each member. The last word allows code to read eight bytes at once.
    1 + count + (text.count + 7) / 8 + 1
  }

  /// Stores the members of a received text, which may contain duplicates, and its traits.
  func take(_ outline: borrowing Outline) {
    let (count, byteCount) = (header.memberCount, header.byteCount)
    let members = members.baseAddress.unsafelyUnwrapped
    let text = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped)
    var (opensContainer, isDistinct) = (false, true)
    // Not zero once anything but the usual stands between a value and the next key, or a key and its value.
    var spread: UInt16 = 0
    var end: UInt16 = 0
    var seen: UInt64 = 0
    for index in 0..<count {
      let member = outline[index]
      members[index] = member
      let start = text + Int(member.keyStart)
      opensContainer = text.load(fromByteOffset: Int(member.start), as: UInt8.self).opensContainer || opensContainer
      spread |= (member.keyStart &- end &- 2) | (member.start &- member.keyEnd &- 2)
      end = member.end
      // Keys with different bits are different; few share the bits by chance.
      let head = MemberKey.head(start, count: Int(member.keyEnd &- member.keyStart))
      let bit: UInt64 = 1 &<< ((head &* 0x9E37_79B9_7F4A_7C15) &>> 58)
      if seen & bit != 0 && hasKey(of: index, before: index) { isDistinct = false }
      seen |= bit
    }
    var traits = header.traits
    if !opensContainer { traits.insert(.isFlat) }
    if !opensContainer && spread == 0 && Int(end) == byteCount - 1 { traits.insert(.isCompact) }
    if !isDistinct { traits.remove(.isOutlined) }
    header.traits = traits
  }

  /// Returns the member of a key.
  func member(of key: MemberKey) -> Outline.Member? {
    let (members, text) = (members, UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped))
    for index in 0..<header.memberCount {
      let member = members[index]
      if key.matches(text + Int(member.keyStart), count: Int(member.keyEnd &- member.keyStart)) { return member }
    }
    return nil
  }

  /// Returns true if both texts are the same value, as far as they show; `nil` if undecided.
  func isSame(as other: TextStorage) -> Bool? {
    let (text, otherText) = (UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(other.text))
    guard let place = text.firstDifference(from: otherText) else { return true }
    // A first difference within the value of a member leaves its key and everything before it equal: if the values
    // differ, and not only their texts, the objects do.
    guard header.traits.contains(.isOutlined), other.header.traits.contains(.isOutlined) else { return nil }
    let (members, otherMembers) = (members, other.members)
    var index = 0
    while index < members.count, place > Int(members[index].end) { index &+= 1 }
    guard index < members.count, index < otherMembers.count else { return nil }
    let (member, otherMember) = (members[index], otherMembers[index])
    guard place >= Int(member.start), member.start == otherMember.start else { return nil }
    let (bytes, otherBytes) = (text.bytes(member.value), otherText.bytes(otherMember.value))
    let isInside = place < Int(member.end) || place < Int(otherMember.end)
    if isInside, PlainScalar.hasOneText(bytes), PlainScalar.hasOneText(otherBytes) { return false }
    guard let value = PlainScalar.value(of: bytes), let otherValue = PlainScalar.value(of: otherBytes) else {
      return nil
    }
    return value == otherValue ? nil : false
  }

  deinit { parsed.deinitialize(count: 1) }

  private func hasKey(of index: Int, before end: Int) -> Bool {
    let (members, text) = (members, UnsafeRawBufferPointer(text))
    let key = text.bytes(members[index].key)
    return members[..<end].contains { text.bytes($0.key).hasSameBytes(as: key) }
  }

  // The pointers are valid as long as the storage.

  private typealias ParsedReference = AtomicLazyReference<Parsed>

  private var words: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

  private var parsed: UnsafeMutablePointer<ParsedReference> { words.assumingMemoryBound(to: ParsedReference.self) }

  var members: UnsafeMutableBufferPointer<Outline.Member> {
    let start = (words + 8).assumingMemoryBound(to: Outline.Member.self)
    return UnsafeMutableBufferPointer(start: start, count: header.memberCount)
  }

  var text: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: words + 8 + 8 * header.memberCount, count: header.byteCount)
  }

  func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafeBufferPointer(text.assumingMemoryBound(to: UInt8.self)).span) }
  }

  /// The value, parsed on first access.
  var value: JSONValue {
    if let parsed = parsed.pointee.load() { return parsed.value }
    return parsed.pointee.storeIfNil(Parsed(withSpan { JSONValue(validated: $0) })).value
  }
}

extension JSONValue {
  /// Creates the value of a validated text.
  init(validated text: Span<UInt8>) {
    do {
      self = try JSONParser.value(onThisThread: text, maximumDepth: greatestMaximumDepth)
    } catch {
      preconditionFailure("text taken for valid JSON is not: \(error.message) at \(error.offset)")
    }
  }
}
