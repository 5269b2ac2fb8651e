/// The keys of an object that is repeatedly written as text, and the source members for its values.
package struct ObjectForm: Sendable {
  /// The text before a value, and the source of the value.
  struct Field: Sendable {
    /// The key, with a comma before it and a colon after it, as a range of `names`.
    let key: Range<Int>
    /// The key of the member to be copied, likewise; empty if the value is computed.
    let source: Range<Int>
    let head: UInt64
    let isCopied: Bool

    /// True for the key of the member to be copied.
    @inline(__always)
    func isSource(_ key: UnsafeRawBufferPointer, _ names: UnsafeRawBufferPointer) -> Bool {
      guard key.count == source.count, MemberKey.head(of: key) == head else { return false }
      return key.count <= 8 || key.hasSameBytes(as: names.bytes(source))
    }
  }

  let names: [UInt8]
  let fields: [Field]
  /// True if each member is copied from the one of the same key.
  let onlyCopies: Bool

  /// - Returns: `nil` for more members than an outline has, and for a key with an escape.
  package init?(_ members: [(key: String, source: MemberKey?)]) {
    guard 1...Outline.mostMembers ~= members.count else { return nil }
    var names: [UInt8] = []
    var fields: [Field] = []
    for (key, source) in members {
      if key.utf8.contains(where: JSONWriter.needsEscape) { return nil }
      let start = names.count
      names += #","\#(key)":"#.utf8
      let end = names.count
      if let source { names += source.name.utf8 }
      fields.append(
        Field(key: start..<end, source: end..<names.count, head: source?.head ?? 0, isCopied: source != nil))
    }
    self.names = names
    self.fields = fields
    onlyCopies = members.allSatisfy { $0.source?.name == $0.key }
  }
}
