internal import JSON

/// A key that is known when an expression is compiled, prepared for being looked up many times.
struct MemberKey {
  let name: String
  /// Whether Swift's equality of strings is the same as that of bytes for strings of this length.
  ///
  /// What is canonically equivalent to an ASCII string and no ASCII itself is longer.
  private let isASCII: Bool

  init(_ name: String) {
    self.name = name
    isASCII = name.utf8.allSatisfy { $0 < 0x80 }
  }

  @inline(__always)
  func matches(_ key: String) -> Bool {
    key.utf8.count == name.utf8.count && key == name && (isASCII || key.utf8.elementsEqual(name.utf8))
  }
}

extension JSONObject {
  /// From so many members on the object's own index is faster.
  private static let mostSearched = 16

  @inline(__always)
  func value(of key: MemberKey) -> JSONValue? {
    if members.count > Self.mostSearched { return self[key.name] }
    for index in members.indices where key.matches(members[index].key) { return members[index].value }
    return nil
  }
}
