internal import Base

/// The keys of an object that is repeatedly written as text, and the source members for its values.
package struct ObjectForm: Sendable {
  /// The source of a member's value.
  package enum Source {
    case computed
    /// A member of the source object.
    case member(MemberKey)
    /// A member of an object that is a member of the source object.
    case part(MemberKey, of: MemberKey)

    fileprivate var key: MemberKey? {
      switch self {
      case .computed: nil
      case .member(let key), .part(let key, of: _): key
      }
    }
  }

  /// The text before a value, and the source of the value.
  struct Field: Sendable {
    /// The key, with a comma before it and a colon after it, as a range of `names`.
    let key: Range<Int>
    /// The key of the member to be copied, likewise; empty if the value is computed.
    let source: Range<Int>
    /// The first eight bytes of that key, and the bits of them that it has.
    let head: UInt64
    let headMask: UInt64
    let isCopied: Bool
    /// True if the member to be copied has the same key.
    let keepsKey: Bool
    /// The index in `outers` of the object that has the member to be copied, if the source object does not itself.
    let outer: Int?

    /// True for the key of the member to be copied.
    @inline(__always)
    func isSource(_ member: Outline.Member, in text: UnsafeRawPointer, _ names: UnsafeRawBufferPointer) -> Bool {
      let start = text + Int(member.keyStart)
      let count = Int(member.keyEnd &- member.keyStart)
      guard count == source.count, MemberKey.word(start) & headMask == head else { return false }
      return count <= 8 || UnsafeRawBufferPointer(start: start, count: count).hasSameBytes(as: names.bytes(source))
    }
  }

  let names: [UInt8]
  let fields: [Field]
  /// The keys of the source object's members with members to be copied.
  let outers: [MemberKey]
  /// True if each member is copied from the one of the same key.
  let onlyCopies: Bool

  /// - Returns: `nil` for more members than an outline has, and for a key with an escape.
  package init?(_ members: [(key: String, source: Source)]) {
    guard 1...Outline.mostMembers ~= members.count else { return nil }
    var names: [UInt8] = []
    var fields: [Field] = []
    var outers: [MemberKey] = []
    for (key, source) in members {
      if key.utf8.contains(where: JSONWriter.needsEscape) { return nil }
      let start = names.count
      names += #","\#(key)":"#.utf8
      let end = names.count
      if let copied = source.key { names += copied.name.utf8 }
      var (isCopied, keepsKey, outer) = (false, false, Int?.none)
      switch source {
      case .computed: break
      case .member(let copied): (isCopied, keepsKey) = (true, copied.name == key)
      case .part(_, of: let object):
        outer = outers.firstIndex { $0.name.hasSameBytes(as: object.name) } ?? outers.count
        if outer == outers.count { outers.append(object) }
      }
      fields.append(
        Field(
          key: start..<end, source: end..<names.count, head: source.key?.head ?? 0, headMask: source.key?.headMask ?? 0,
          isCopied: isCopied, keepsKey: keepsKey, outer: outer))
    }
    self.outers = outers
    self.names = names
    self.fields = fields
    onlyCopies = fields.allSatisfy(\.keepsKey)
  }
}
