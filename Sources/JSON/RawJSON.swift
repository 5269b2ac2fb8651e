/// The text of one valid JSON value, parsed only when its parts are accessed, and at most once.
///
/// A value of common form (`PlainValue`) is hardly parsed at all: a scalar is read from its text, and an object keeps
/// its text (`JSONObject.init(keeping:)`), where single members are read.
package struct RawJSON: @unchecked Sendable {
  private let storage: TextStorage

  /// Creates a value from text that the parser has validated, without white space around it.
  package init(validated text: Span<UInt8>) { storage = .make(text) }

  package init(validated bytes: [UInt8]) { self.init(validated: bytes.span) }

  /// Creates a value from validated text with the parser's notes.
  package init(validated text: Span<UInt8>, outline: borrowing Outline) {
    storage = .make(text, members: outline.count, traits: outline.traits)
    if outline.count > 0 { storage.take(outline) }
  }

  /// Creates a value from validated text with the parser's notes, in spare memory if there is any.
  package init(validated text: Span<UInt8>, outline: borrowing Outline, reusing spare: inout SpareTexts) {
    storage = spare.make(text, members: outline.count, traits: outline.traits)
    if outline.count > 0 { storage.take(outline) }
  }

  /// Creates a value from validated text, with notes that are made here: worth it if its parts will be accessed.
  ///
  /// - Parameter outline: is overwritten.
  package init(validated text: Span<UInt8>, noting outline: inout Outline) {
    if text.count <= Outline.mostBytes, PlainValue.fills(text, maximumDepth: greatestMaximumDepth, outline: &outline) {
      self.init(validated: text, outline: outline)
    } else {
      self.init(validated: text)
    }
  }

  /// Creates a value from unchecked text; nil if it is not JSON of common form, which needs no parser.
  package init?(plain text: Span<UInt8>) {
    var outline = Outline()
    self.init(plain: text, noting: &outline)
  }

  /// Creates a value from unchecked text; nil if it is not JSON of common form.
  ///
  /// - Parameter outline: is overwritten.
  package init?(plain text: Span<UInt8>, noting outline: inout Outline) {
    guard PlainValue.fills(text, maximumDepth: defaultMaximumDepth, outline: &outline) else { return nil }
    self.init(validated: text, outline: outline)
  }

  /// Creates a value from unchecked text; nil if it is not JSON.
  ///
  /// - Parameter isOutlined: `true` to store the parser's notes, if it is an object; see `hasOutline`.
  package init?(checking bytes: [UInt8], isOutlined: Bool) {
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    guard let first = bytes.first, let last = bytes.last, !spaces.contains(first), !spaces.contains(last) else {
      return nil
    }
    var outline = Outline()
    guard JSONParser.isValue(onThisThread: bytes.span, outline: &outline) else { return nil }
    if isOutlined { self.init(validated: bytes.span, outline: outline) } else { self.init(validated: bytes.span) }
  }

  /// Creates a value from an object that was written compactly, without nesting and with different keys.
  init(written text: Span<UInt8>, outline: borrowing Outline, reusing spare: inout SpareTexts) {
    storage = spare.make(text, members: outline.count, traits: outline.traits)
    _ = storage.members.update(fromContentsOf: outline.members)
  }

  package var count: Int { storage.header.byteCount }
  package var bytes: [UInt8] { withExtendedLifetime(storage) { [UInt8](storage.text) } }
  package var first: UInt8 { withExtendedLifetime(storage) { storage.text[0] } }

  /// Copies the text to an address with space for it.
  package func copy(to address: UnsafeMutableRawPointer) {
    withExtendedLifetime(storage) {
      address.copyMemory(from: storage.text.baseAddress.unsafelyUnwrapped, byteCount: storage.header.byteCount)
    }
  }

  package func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try storage.withSpan(body)
  }

  /// The value.
  package var value: JSONValue {
    if hasOutline { return .object(JSONObject(keeping: self)) }
    return plainScalar ?? storage.value
  }

  /// The elements of an array, arrays and objects among them unparsed; `nil` for any other value.
  package var elements: [Payload]? {
    withSpan { text in
      guard text[0] == UInt8(ascii: "[") else { return nil }
      var scan = ArrayElements()
      var elements: [Payload] = []
      while let element = scan.next(of: text) { elements.append(element) }
      return elements
    }
  }

  private var plainScalar: JSONValue? {
    withExtendedLifetime(storage) {
      storage.header.traits.contains(.isPlain) ? PlainScalar.value(of: UnsafeRawBufferPointer(storage.text)) : nil
    }
  }

  /// Returns true if both are the same value, as far as the texts show; `nil` if undecided.
  package func isSame(as other: RawJSON) -> Bool? { storage.isSame(as: other.storage) }
}

// MARK: - Objects with an outline

extension RawJSON {
  /// True if it is an object with an outline.
  package var hasOutline: Bool { storage.header.traits.contains(.isOutlined) }

  var memberCount: Int { storage.header.memberCount }

  /// True if no value among the members is an array or an object.
  var isFlat: Bool { storage.header.traits.contains(.isFlat) }

  /// True if it is flat and its text equals the writer's output.
  var isCompact: Bool { storage.header.traits.contains(.isCompact) }

  /// All members, parsed.
  var members: [JSONObject.Member] { parsedObject.members }

  private var parsedObject: JSONObject {
    guard case .object(let object) = storage.value else { preconditionFailure("only an object has an outline") }
    return object
  }

  /// Returns the value of a member, if it exists.
  func value(of key: MemberKey) -> JSONValue? {
    guard let member = storage.member(of: key) else { return nil }
    return withText { text in
      let value = text.bytes(member.value)
      // Nested values are usually accessed more than once: they are parsed for good.
      if value[0].opensContainer { return parsedObject.value(of: key) }
      return PlainScalar.value(of: value) ?? JSONValue(validated: value.assumingMemoryBound(to: UInt8.self).span)
    }
  }

  /// Returns the result for the text of a member, if it exists.
  @inline(__always)
  func withMember<Result>(_ key: MemberKey, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard let member = storage.member(of: key) else { return nil }
    return withText { body($0.bytes(member.value)) }
  }

  @inline(__always)
  private func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(storage) { body(UnsafeRawBufferPointer(storage.text)) }
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
