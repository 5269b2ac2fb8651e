/// The values of certain members of one object after another, each object read in a single pass.
package struct MemberValues {
  private let keys: [MemberKey]
  private var values: [JSONValue?]

  package init(of keys: [String]) {
    self.keys = keys.map { MemberKey($0) }
    values = Array(repeating: nil, count: keys.count)
  }

  /// Reads the members of another object.
  package mutating func read(_ object: JSONObject) {
    if let text = object.text { return read(text) }
    for index in keys.indices { values[index] = object.value(of: keys[index]) }
  }

  private mutating func read(_ text: RawJSON) {
    values.withUnsafeMutableBufferPointer { [keys] values in
      for index in values.indices { if case .some = values[index] { values[index] = nil } }
      text.withMembers { members, bytes in
        for member in members {
          guard let index = Self.index(of: bytes.bytes(member.key), in: keys) else { continue }
          values[index] = Self.value(of: bytes.bytes(member.value))
        }
      }
    }
  }

  /// Returns the index of a key; eight bytes are readable past it.
  private static func index(of key: UnsafeRawBufferPointer, in keys: [MemberKey]) -> Int? {
    let start = key.baseAddress.unsafelyUnwrapped
    return keys.indices.first { keys[$0].matches(start, count: key.count) }
  }

  /// Returns the value of a part of a text; an array or an object keeps that part, and none of the rest is parsed.
  private static func value(of text: UnsafeRawBufferPointer) -> JSONValue {
    if !text[0].opensContainer, let scalar = PlainScalar.value(of: text) { return scalar }
    let text = text.assumingMemoryBound(to: UInt8.self).span
    return RawJSON(plain: text)?.value ?? JSONValue(validated: text)
  }

  /// The value of the member at an index of the keys; `nil` if the object has none.
  package subscript(index: Int) -> JSONValue? { values[index] }
}
