internal import JSON

/// The splitting of strings at a plain separator.
enum Splitting {
  /// Splits a string; an empty separator yields characters, an empty string no parts.
  static func split(
    _ text: String, at separator: String, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    try environment.charge(characters: 2 * text.utf8.count + separator.utf8.count)
    if separator.isEmpty {
      try environment.step(text.utf8.count / partsPerStep)
      return .array(text.unicodeScalars.map { .string(String($0)) })
    }
    if text.isEmpty { return .array([]) }
    let bytes = Array(text.utf8)
    var parts: [JSONValue] = []
    var start = 0
    let offsets = Search.offsets(of: Array(separator.utf8), in: bytes, overlapping: false)
    try environment.step(offsets.count / partsPerStep)
    for offset in offsets {
      parts.append(.string(String(decoding: bytes[start..<offset], as: UTF8.self)))
      start = offset + separator.utf8.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return .array(parts)
  }

  /// Parts per step.
  private static let partsPerStep = 4
}
