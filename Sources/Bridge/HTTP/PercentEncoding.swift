internal import JSON

/// The encoding of paths and queries (RFC 3986).
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)
  private static let unreserved = ByteSet(ByteSet.lettersAndDigits + "-._~")
  private static let ofPath = ByteSet(ByteSet.lettersAndDigits + "-._~/!$&'()*+,;=:@")

  /// Encodes what may not stand in a path; what is encoded already stays.
  static func path(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return encode(bytes) { place in
      ofPath.contains(bytes[place])
        || bytes[place] == UInt8(ascii: "%") && bytes[place...].dropFirst().prefix(2).filter(isHexadecimal).count == 2
    }
  }

  /// Encodes a name or a value of a query.
  static func query(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return encode(bytes) { unreserved.contains(bytes[$0]) }
  }

  /// Returns a query of an object's members; a list repeats its name, null leaves it out.
  static func query(_ members: JSONObject) -> String {
    members.members.flatMap { member -> [String] in
      let values: [JSONValue] = if case .array(let list) = member.value.plain { list } else { [member.value] }
      return values.compactMap(\.text).map { "\(query(member.key))=\(query($0))" }
    }.joined(separator: "&")
  }

  /// Indicates a segment that a server would take for a step in the tree, encoded or not.
  static func hasDotSegment(_ path: String) -> Bool {
    // Most paths have neither a dot nor anything encoded.
    guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return false }
    return path.split(separator: "/", omittingEmptySubsequences: false).contains { segment in
      [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
    }
  }

  private static func encode(_ bytes: [UInt8], _ isKept: (Int) -> Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for place in bytes.indices {
      if isKept(place) {
        result.append(bytes[place])
      } else {
        result += [UInt8(ascii: "%"), digits[Int(bytes[place] >> 4)], digits[Int(bytes[place] & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }
}
