/// The text of one valid JSON value, taken apart only as far as someone looks inside, and at most once.
///
/// A value of common form (`PlainValue`) is hardly taken apart at all: a scalar is read from its text, and an object
/// keeps its text (`JSONObject.init(keeping:)`), of which single members are read.
package struct RawJSON: @unchecked Sendable {
  private let storage: TextStorage

  /// Takes text that the parser has found valid, without white space around it.
  package init(validated text: Span<UInt8>) { storage = .make(text, Outline(), members: 0) }

  /// The same where the parser has made an outline.
  package init(validated text: Span<UInt8>, outline: Outline) {
    let isOutlined = outline.traits.contains(.isOutlined) && text.withUnsafeBytes { outline.hasDistinctKeys(in: $0) }
    storage = .make(text, outline, members: isOutlined ? outline.count : 0)
  }

  package init(validated bytes: [UInt8]) { self.init(validated: bytes.span) }

  package var count: Int { withExtendedLifetime(storage) { storage.text.count } }
  package var bytes: [UInt8] { withExtendedLifetime(storage) { [UInt8](storage.text) } }

  package func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(storage) { try body(storage.text.assumingMemoryBound(to: UInt8.self).span) }
  }

  package func hasSameBytes(as other: RawJSON) -> Bool {
    withExtendedLifetime((storage, other.storage)) { storage.text.hasSameBytes(as: other.storage.text) }
  }

  package var first: UInt8 { withExtendedLifetime(storage) { storage.text[0] } }

  /// The value.
  package var value: JSONValue {
    if hasOutline { return .object(JSONObject(keeping: self)) }
    return plainScalar ?? storage.value
  }

  private var plainScalar: JSONValue? {
    withExtendedLifetime(storage) {
      storage.traits.contains(.isPlain) ? PlainScalar.value(of: storage.text) : nil
    }
  }
}

// MARK: - An object that has an outline

extension RawJSON {
  var hasOutline: Bool { memberCount > 0 }
  var memberCount: Int { storage.header.memberCount }

  /// Whether the text is as the writer would put it.
  var isCompact: Bool { !storage.traits.contains(.isSpaced) }

  /// Whether no value among the members is an array or an object.
  var isFlat: Bool { !storage.traits.contains(.isNested) }

  /// All members, taken apart.
  var members: [JSONObject.Member] {
    guard case .object(let object) = storage.value else { preconditionFailure("only an object has an outline") }
    return object.members
  }

  /// The value of a member, if there is one of this key.
  func value(of key: MemberKey) -> JSONValue? {
    withExtendedLifetime(storage) {
      let text = storage.text
      guard let index = storage.members.firstIndex(where: { key.matches(text.bytes($0.key)) }) else { return nil }
      // What is nested is looked at more than once, mostly: it is taken apart for good.
      return PlainScalar.value(of: text.bytes(storage.members[index].value)) ?? members[index].value
    }
  }

  /// Whether both have equal members, as far as can be told from texts with the same keys in the same order.
  func hasSameMembers(as other: RawJSON) -> Bool? {
    withExtendedLifetime((storage, other.storage)) {
      let (text, otherText) = (storage.text, other.storage.text)
      if text.hasSameBytes(as: otherText) { return true }
      guard memberCount == other.memberCount else { return false }
      for (member, otherMember) in zip(storage.members, other.storage.members) {
        guard text.bytes(member.key).hasSameBytes(as: otherText.bytes(otherMember.key)) else { return nil }
        let (value, otherValue) = (text.bytes(member.value), otherText.bytes(otherMember.value))
        if value.hasSameBytes(as: otherValue) { continue }
        guard let one = PlainScalar.value(of: value), let other = PlainScalar.value(of: otherValue) else { return nil }
        if one != other { return false }
      }
      return true
    }
  }
}
