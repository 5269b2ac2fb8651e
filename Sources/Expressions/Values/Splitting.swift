internal import JSON

/// Splitting strings at a separator that is no pattern.
enum Splitting {
  /// An empty separator splits into characters; an empty string has no parts.
  static func split(
    _ text: String, at separator: String, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    try environment.charge(characters: text.utf8.count)
    if separator.isEmpty {
      try environment.charge(values: text.utf8.count)
      return .array(text.unicodeScalars.map { .string(String($0)) })
    }
    if text.isEmpty { return .array([]) }
    let bytes = Array(text.utf8)
    var parts: [JSONValue] = []
    var start = 0
    for offset in Search.offsets(of: Array(separator.utf8), in: bytes, overlapping: false) {
      parts.append(.string(String(decoding: bytes[start..<offset], as: UTF8.self)))
      start = offset + separator.utf8.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    try environment.charge(values: parts.count)
    return .array(parts)
  }
}
