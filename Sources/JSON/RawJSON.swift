/// The text of one valid JSON value, taken apart only where its parts are asked for, and at most once.
///
/// A value of common form (`PlainValue`) is hardly taken apart at all: a scalar is read from its text, and an object
/// keeps its text (`JSONObject.init(keeping:)`), from which single members are read.
package struct RawJSON: @unchecked Sendable {
  private let storage: TextStorage

  /// Takes text that the parser has found valid, without white space around it.
  package init(validated text: Span<UInt8>) { storage = .make(text) }

  package init(validated bytes: [UInt8]) { self.init(validated: bytes.span) }

  /// The same with the parser's notes about it.
  package init(validated text: Span<UInt8>, outline: borrowing Outline) {
    storage = .make(text, members: outline.count, traits: outline.traits)
    if outline.count > 0 { storage.take(outline) }
  }

  /// Takes text that may be no JSON value at all: then there is none.
  ///
  /// - Parameter isOutlined: Whether the parser's notes are to be kept about it, if it is an object; see `hasOutline`.
  package init?(checking bytes: [UInt8], isOutlined: Bool) {
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    guard let first = bytes.first, let last = bytes.last, !spaces.contains(first), !spaces.contains(last) else {
      return nil
    }
    var outline = Outline()
    guard JSONParser.isValue(onThisThread: bytes.span, outline: &outline) else { return nil }
    if isOutlined { self.init(validated: bytes.span, outline: outline) } else { self.init(validated: bytes.span) }
  }

  /// Takes an object that was written compactly, without nesting and with different keys.
  init(written text: Span<UInt8>, outline: borrowing Outline) {
    storage = .make(text, members: outline.count, traits: outline.traits)
    _ = storage.members.update(fromContentsOf: outline.members)
  }

  package var count: Int { storage.header.byteCount }
  package var bytes: [UInt8] { withExtendedLifetime(storage) { [UInt8](storage.text) } }
  package var first: UInt8 { withExtendedLifetime(storage) { storage.text[0] } }

  package func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try storage.withSpan(body)
  }

  /// The value.
  package var value: JSONValue {
    if hasOutline { return .object(JSONObject(keeping: self)) }
    return plainScalar ?? storage.value
  }

  private var plainScalar: JSONValue? {
    withExtendedLifetime(storage) {
      storage.header.traits.contains(.isPlain) ? PlainScalar.value(of: UnsafeRawBufferPointer(storage.text)) : nil
    }
  }

  /// Whether both are the same value, as far as that can be told from the texts; `nil` if it cannot.
  package func isSame(as other: RawJSON) -> Bool? {
    withMembers { members, text in
      other.withMembers { otherMembers, otherText in
        guard let place = text.firstDifference(from: otherText) else { return true }
        // Where the first difference is in the value of a member, keys and all before it are the same in both: if the
        // values differ, and not only their texts, the objects do.
        guard hasOutline, other.hasOutline, let index = members.firstIndex(where: { place <= $0.end }),
          index < otherMembers.count, place >= members[index].start, members[index].start == otherMembers[index].start,
          let value = PlainScalar.value(of: text.bytes(members[index].value)),
          let otherValue = PlainScalar.value(of: otherText.bytes(otherMembers[index].value))
        else { return nil }
        return value == otherValue ? nil : false
      }
    }
  }
}

// MARK: - An object that has an outline

extension RawJSON {
  /// Whether it is an object whose members are noted.
  package var hasOutline: Bool { storage.header.traits.contains(.isOutlined) }

  var memberCount: Int { storage.header.memberCount }

  /// Whether no value among the members is an array or an object.
  var isFlat: Bool { storage.header.traits.contains(.isFlat) }

  /// Whether it is flat and the text is as the writer would put it.
  var isCompact: Bool { storage.header.traits.contains(.isCompact) }

  /// All members, taken apart.
  var members: [JSONObject.Member] {
    guard case .object(let object) = storage.value else { preconditionFailure("only an object has an outline") }
    return object.members
  }

  /// The value of a member, if there is one of this key.
  func value(of key: MemberKey) -> JSONValue? {
    withMembers { members, text in
      for index in members.indices where key.matches(text.bytes(members[index].key)) {
        let value = text.bytes(members[index].value)
        // Nested values are mostly looked at more than once: they are taken apart for good.
        if value[0].opensContainer { return self.members[index].value }
        return PlainScalar.value(of: value) ?? JSONValue(validated: value.assumingMemoryBound(to: UInt8.self).span)
      }
      return nil
    }
  }

  /// The places of the members in the text.
  @inline(__always)
  func withMembers<Result>(
    _ body: (UnsafeBufferPointer<Outline.Member>, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withExtendedLifetime(storage) {
      body(UnsafeBufferPointer(storage.members), UnsafeRawBufferPointer(storage.text))
    }
  }
}
