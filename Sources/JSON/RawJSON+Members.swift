// Members of an object with an outline, read in place without becoming values.

extension RawJSON {
  /// Returns the member of a key that is a number in canonical form; `nil` for any other member.
  package func number(of key: MemberKey) -> Double? {
    withMember(key) { $0[0] == UInt8(ascii: "-") || 0x30...0x39 ~= $0[0] ? PlainScalar.number($0) : nil }
  }

  /// Returns false for a member that is false, null or missing, and true for any other.
  package func truth(of key: MemberKey) -> Bool {
    withMember(key) { $0[0] != UInt8(ascii: "f") && $0[0] != UInt8(ascii: "n") } ?? false
  }

  /// Compares a member that is a string with another string; `nil` for any other member.
  ///
  /// - Returns: True if they are the same, and the number of bytes of the shorter one.
  package func comparison(of key: MemberKey, with string: [UInt8]) -> (isSame: Bool, bytes: Int)? {
    withMember(key) { value in
      guard value[0] == UInt8(ascii: "\"") else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
      let isSame = string.withUnsafeBytes { bytes.count == $0.count && (bytes.isEmpty || bytes.hasSameBytes(as: $0)) }
      return (isSame, min(bytes.count, string.count))
    }
  }
}
