internal import JSON

/// The printed form of a value.
enum ValueText {
  /// Returns the value's JSON as the daemon sent it; with `isRaw`, a string without quotes and escapes.
  static func bytes(_ value: RawJSON?, isRaw: Bool) -> [UInt8] {
    guard let value else { return [] }
    if isRaw, case .string(let string) = value.value.plain { return Array(string.utf8) }
    return value.bytes
  }
}
